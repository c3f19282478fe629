/** Problems with the place where they are. */
export const at = (place: string, problems: string[]): string[] =>
  problems.map((problem) => `${place}: ${problem}`);

/** A problem, if there is one. */
export const when = (isWrong: boolean, problem: string): string[] => (isWrong ? [problem] : []);
