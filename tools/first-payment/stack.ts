import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { StackFile } from '@bascule/composition';

export type Stack = StackFile;

const DEFAULT_PATH = fileURLToPath(new URL('../../.local/stack.json', import.meta.url));

/** @throws Error when no stack is running */
export function loadStack(path = process.env['STACK_FILE'] ?? DEFAULT_PATH): Stack {
  try {
    return JSON.parse(readFileSync(path, 'utf8')) as Stack;
  } catch (error) {
    throw new Error(`${path} is not there: start the stack first, with \`npm start\``, {
      cause: error,
    });
  }
}
