import { ConfigurationError, withUrlOrigins } from '@bascule/process';

/** The command line is wrong: whoever runs the command shows how it is used. */
export class UsageError extends Error {}

const WRONG_USAGE = 2;

/** What a command prints, and whether it did all that it was asked for. */
export interface Printer {
  json(value: unknown): void;
  note(text: string): void;
}

export const printer: Printer = {
  json: (value) => process.stdout.write(`${JSON.stringify(value)}\n`),
  note: (text) => process.stderr.write(`${text}\n`),
};

/** Runs a group of the operator's command line; 2 for a wrong command line, 1 for what could not be done. */
export async function runOperatorGroup(group: string, run: () => Promise<number>): Promise<number> {
  try {
    return await run();
  } catch (error) {
    const isUsage = error instanceof UsageError;
    const reason = error instanceof Error ? error.message : String(error);
    const isKnown = isUsage || error instanceof ConfigurationError;
    printer.note(`${group}: ${isKnown ? reason : withUrlOrigins(reason)}`);
    return isUsage ? WRONG_USAGE : 1;
  }
}
