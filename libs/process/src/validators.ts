import { EnvError, makeExactValidator, str, type ValidatorSpec } from 'envalid';

export { bool, makeValidator, port, str, url } from 'envalid';

const SENSITIVE = Symbol('sensitive');

/** Marks a variable whose value must never be printed, not even in an error. */
export function sensitive<S extends ValidatorSpec<unknown>>(spec: S): S {
  return Object.assign(spec, { [SENSITIVE]: true });
}

export const isSensitive = (spec: object): boolean => SENSITIVE in spec;

export const RELOADABLE = Symbol('reloadable');

/** Marks a variable that is parsed to a `Reloadable`, whose file is read again while the service runs. */
export interface ReloadableMark<T> {
  /** Names of the keys in a value, shown by metrics. */
  readonly [RELOADABLE]: (value: T) => readonly string[];
}

/** Marks a variable as replaceable without a restart; `keyIds` names the keys in its value. */
export const reloadable = <T, S extends ValidatorSpec<T>>(
  spec: S & ValidatorSpec<T>,
  keyIds: (value: T) => readonly string[] = () => [],
): S & ReloadableMark<T> => Object.assign(spec, { [RELOADABLE]: keyIds });

/** A string without a default that prints as `***`. */
export const secret = (spec: { desc?: string } = {}) => sensitive(str(spec));

/** Comma-separated values, trimmed; empty ones are refused. */
export const list = makeExactValidator<string[]>((input) => {
  const items = input.split(',').map((item) => item.trim());
  if (items.some((item) => item === '')) throw new EnvError('an item of the list is empty');
  return items;
});

/** Certificates as PEM text; line breaks may be written as `\\n`. */
export const pem = makeExactValidator<string>((input) => {
  const text = input.replaceAll('\\n', '\n');
  if (!text.includes('-----BEGIN CERTIFICATE-----')) throw new EnvError('expected PEM');
  return text;
});

interface IntegerSpec {
  min: number;
  max?: number;
  default?: number;
  desc?: string;
}

/** Whole number in decimal digits; `30s`, `1e3` and `-0` are rejected. */
export const integer = ({ min, max = Number.MAX_SAFE_INTEGER, ...spec }: IntegerSpec) =>
  makeExactValidator<number>((input) => {
    const value = Number(input);
    if (!/^(0|-?[1-9]\d*)$/.test(input)) throw new EnvError('expected a whole number');
    if (value < min) throw new EnvError(`expected at least ${min}`);
    if (value > max) throw new EnvError(`expected at most ${max}`);
    return value;
  })(spec);

/** Longest delay of a timer; longer ones fire at once. */
const LONGEST_TIMER_MS = 2 ** 31 - 1;

/** Duration in milliseconds. */
export const milliseconds = (spec: Omit<IntegerSpec, 'max'>) =>
  integer({ ...spec, max: LONGEST_TIMER_MS });

/** Basis points, at most 10000. */
export const basisPoints = (spec: Pick<IntegerSpec, 'default' | 'desc'>) =>
  integer({ ...spec, min: 0, max: 10_000 });
