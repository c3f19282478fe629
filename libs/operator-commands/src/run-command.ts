import { ConfigurationError, withUrlOrigins } from '@bascule/process';
import { OperatorError, UsageError } from './operator-error.js';
import { ignoreClosedPipe, type Output, processOutput } from './output.js';

const SUCCESS = 0;
const FAILURE = 1;
const WRONG_USAGE = 2;

/**
 * Runs one command of a group and prints its error as `GROUP: message`.
 * @param run resolves to false when a part of the work was refused
 * @returns the exit code: 0 done, 1 failed or refused in part, 2 wrong command line
 */
export async function runCommand(
  group: string,
  run: (output: Output) => Promise<boolean | void>,
  output: Output = processOutput,
): Promise<number> {
  if (output === processOutput) ignoreClosedPipe(process.stdout);
  try {
    return (await run(output)) === false ? FAILURE : SUCCESS;
  } catch (error) {
    output.note(`${group}: ${explanation(error)}`);
    return error instanceof UsageError ? WRONG_USAGE : FAILURE;
  }
}

/** Messages of unexpected errors may hold a URL with credentials. */
function explanation(error: unknown): string {
  if (error instanceof OperatorError || error instanceof ConfigurationError) return error.message;
  if (!(error instanceof Error)) return withUrlOrigins(String(error));
  return withUrlOrigins(error.message === '' ? error.name : error.message);
}
