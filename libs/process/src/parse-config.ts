import { inspect } from 'node:util';
import { customCleanEnv, type OptionalValidatorSpec, type RequiredValidatorSpec } from 'envalid';
import { ConfigurationError } from './configuration-error.js';
import { isSensitive } from './validators.js';

type Environment = Record<string, string | undefined>;

/** Values parsed from a table of specs. */
export type Parsed<S> = {
  readonly [K in keyof S]: S[K] extends OptionalValidatorSpec<infer T>
    ? T | undefined
    : S[K] extends RequiredValidatorSpec<infer T>
      ? T
      : never;
};

/**
 * Reads the variables that `specs` names. An empty variable counts as absent.
 *
 * @throws ConfigurationError listing every problem, without the value of a sensitive variable.
 */
export function parseConfig<S extends object>(env: Environment, specs: S): Parsed<S> {
  const present = Object.fromEntries(Object.entries(env).filter(([, value]) => value !== ''));
  const hidden = new Set(
    Object.entries(specs)
      .filter(
        ([, spec]) => typeof spec === 'object' && spec !== null && isSensitive(spec as object),
      )
      .map(([name]) => name),
  );
  const freeze = (cleaned: object): Parsed<S> =>
    Object.freeze(maskWhenPrinted({ ...(cleaned as Parsed<S>) }, hidden));
  return customCleanEnv(present, specs, freeze, {
    reporter: ({ errors }) => {
      const problems = Object.entries<Error | undefined>(errors).map(
        ([name, error]) => `${name}: ${describe(name, error, hidden)}`,
      );
      if (problems.length > 0) throw new ConfigurationError(problems);
    },
  });
}

function describe(name: string, error: Error | undefined, hidden: ReadonlySet<string>): string {
  if (error === undefined || error.name === 'ReferenceError' || error.name === 'EnvMissingError') {
    const description = error?.message;
    return description && description !== 'undefined'
      ? `is missing (${description})`
      : 'is missing';
  }
  return hidden.has(name) ? 'is not valid' : error.message;
}

function maskWhenPrinted<T extends object>(config: T, hidden: ReadonlySet<string>): T {
  const masked = (): Record<string, unknown> =>
    Object.fromEntries(
      Object.entries(config).map(([name, value]) => [
        name,
        hidden.has(name) && value !== undefined ? '***' : (value as unknown),
      ]),
    );
  Object.defineProperty(config, inspect.custom, { value: masked });
  Object.defineProperty(config, 'toJSON', { value: masked });
  return config;
}
