import { ConfigurationError } from './configuration-error.js';

/**
 * Runs several parsers of an environment and returns their results by name.
 *
 * @throws ConfigurationError listing the problems of all of them
 */
export function collectProblems<T extends object>(parsers: { [K in keyof T]: () => T[K] }): T {
  const problems: string[] = [];
  const parsed: Partial<T> = {};
  for (const name of Object.keys(parsers) as (keyof T)[]) {
    try {
      parsed[name] = parsers[name]();
    } catch (error) {
      if (!(error instanceof ConfigurationError)) throw error;
      problems.push(...error.problems);
    }
  }
  if (problems.length > 0) throw new ConfigurationError(problems);
  return parsed as T;
}
