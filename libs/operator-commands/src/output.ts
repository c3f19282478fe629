import { userInfo } from 'node:os';

export interface Output {
  /** One line of the result. */
  line(text: string): void;
  /** One line of the result, as JSON. */
  json(value: unknown): void;
  /** A remark beside the result, on stderr. */
  note(text: string): void;
}

export const processOutput: Output = {
  line: (text) => process.stdout.write(`${text}\n`),
  json: (value) => process.stdout.write(`${JSON.stringify(value)}\n`),
  note: (text) => process.stderr.write(`${text}\n`),
};

/** Actor of the audit log: the operating-system user of the command. */
export const operatorActor = (): string => `operator ${userInfo().username}`;
