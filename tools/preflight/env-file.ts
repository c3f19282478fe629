import { OperatorError } from '@bascule/operator-commands';
import { readFileSync } from 'node:fs';

const LINE_END = /\r?\n/;
const NAME = /^[A-Za-z_][A-Za-z0-9_]*$/;

/**
 * Reads a file in the form of `docker run --env-file`: a value is the rest of its line, quotes and `#` included, as the
 * container gets it.
 *
 * @throws OperatorError that names the line, never its text
 */
export function readEnvFile(file: string): NodeJS.ProcessEnv {
  const lines = textOf(file).split(LINE_END);
  const entries = lines.flatMap((line, index) => {
    const text = line.trimStart();
    return text === '' || text.startsWith('#') ? [] : [entryOf(text, `${file}:${index + 1}`)];
  });
  return Object.fromEntries(entries);
}

function entryOf(line: string, place: string): readonly [string, string] {
  const end = line.indexOf('=');
  const name = line.slice(0, end);
  if (end < 0 || !NAME.test(name)) throw new OperatorError(`${place}: expected NAME=value`);
  return [name, line.slice(end + 1)];
}

function textOf(file: string): string {
  try {
    return readFileSync(file, 'utf8').replace(/^\uFEFF/, '');
  } catch (error) {
    throw new OperatorError(`${file}: expected a readable file`, { cause: error });
  }
}
