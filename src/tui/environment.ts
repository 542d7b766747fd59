/** The variables of the process that shows the console. */
export type Environment = Readonly<Record<string, string | undefined>>;
