/** The part of a list that is on the screen. */
export interface Window {
  top: number;
  end: number;
}

/**
 * The visible rows around a position. It follows from nothing but these numbers, so that a screen after
 * many resizes is the same as a new one.
 */
export function windowOf(count: number, height: number, position: number): Window {
  const most = Math.max(0, count - height);
  const top = Math.max(0, Math.min(position - Math.floor(height / 2), most));
  return { top, end: Math.min(count, top + height) };
}
