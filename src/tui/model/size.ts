export interface Size {
  columns: number;
  rows: number;
}

/** The smallest terminal that the console can be used in. */
export const SMALLEST: Size = { columns: 40, rows: 10 };
