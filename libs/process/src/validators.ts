import { EnvError, makeExactValidator, str, type ValidatorSpec } from 'envalid';

export { bool, host, json, makeValidator, num, port, str, url } from 'envalid';

const SENSITIVE = Symbol('sensitive');

/** Marks a variable whose value must never be printed, not even when it is wrong. */
export function sensitive<S extends ValidatorSpec<unknown>>(spec: S): S {
  return Object.assign(spec, { [SENSITIVE]: true });
}

export const isSensitive = (spec: object): boolean => SENSITIVE in spec;

/** A string without a default that prints as `***`. */
export const secret = (spec: { desc?: string } = {}) => sensitive(str(spec));

/** Comma-separated values, trimmed; empty ones are refused. */
export const list = makeExactValidator<string[]>((input) => {
  const items = input.split(',').map((item) => item.trim());
  if (items.some((item) => item === '')) throw new EnvError('an item of the list is empty');
  return items;
});
