import { inspect } from 'node:util';
import { customCleanEnv, type OptionalValidatorSpec, type RequiredValidatorSpec } from 'envalid';
import {
  parsedVariables,
  readFileVariables,
  type FileValues,
} from './config-files/file-variables.js';
import { Reloadable } from './config-files/reloadable.js';
import { ConfigurationError } from './configuration-error.js';
import { isSensitive, RELOADABLE } from './validators.js';

type Environment = Record<string, string | undefined>;

/** Values parsed from a table of specs; those of reloadable variables are held by a {@link Reloadable}. */
export type Parsed<S> = {
  readonly [K in keyof S]: S[K] extends OptionalValidatorSpec<infer T>
    ? Held<S[K], T> | undefined
    : S[K] extends RequiredValidatorSpec<infer T>
      ? Held<S[K], T>
      : never;
};

type Held<Spec, T> = Spec extends { readonly [RELOADABLE]: unknown } ? Reloadable<T> : T;

/**
 * Reads the variables that `specs` names, each from the environment or from the file that `<NAME>_FILE` names. An empty
 * variable counts as absent.
 *
 * @throws ConfigurationError listing every problem, without the value of a sensitive variable or of a file.
 */
export function parseConfig<S extends object>(env: Environment, specs: S): Parsed<S> {
  const names = Object.keys(specs);
  const files = readFileVariables(env, names);
  const hidden = new Set(
    names.filter((name) => files.contents.has(name) || isSensitive(specOf(specs, name))),
  );
  const cleaned = clean({ ...env, ...textsOf(files) }, specs, hidden, files.problems);
  const values = Object.fromEntries(
    Object.entries(cleaned).map(([name, value]) => [
      name,
      held(env, { name, specs, files, value }),
    ]),
  );
  return Object.freeze(maskWhenPrinted(values as Parsed<S>, hidden));
}

const textsOf = ({ contents }: FileValues): Environment =>
  Object.fromEntries([...contents].map(([name, { text }]) => [name, text]));

const specOf = (specs: object, name: string): object => {
  const spec: unknown = Object.entries(specs).find(([known]) => known === name)?.[1];
  return typeof spec === 'object' && spec !== null ? spec : {};
};

/** Parses the texts of variables. */
function clean(
  env: Environment,
  specs: object,
  hidden: ReadonlySet<string>,
  fileProblems: ReadonlyMap<string, string> = new Map(),
): Record<string, unknown> {
  const present = Object.fromEntries(Object.entries(env).filter(([, value]) => value !== ''));
  const copy = (cleaned: object): Record<string, unknown> => ({ ...cleaned });
  return customCleanEnv(present, specs, copy, {
    reporter: ({ errors }) => {
      const problems = Object.entries<Error | undefined>(errors)
        .filter(([name]) => !fileProblems.has(name))
        .map(([name, error]) => `${name}: ${describe(name, error, hidden)}`);
      problems.unshift(...fileProblems.values());
      if (problems.length > 0) throw new ConfigurationError(problems);
    },
  });
}

interface ParsedVariable {
  name: string;
  specs: object;
  files: FileValues;
  value: unknown;
}

/** Registers a variable of a file or a reloadable one with its environment; returns what the configuration holds. */
function held(env: Environment, { name, specs, files, value }: ParsedVariable): unknown {
  const file = files.contents.get(name);
  const spec = specOf(specs, name);
  const { files: known, reloadable } = parsedVariables(env);
  const isReloadable = RELOADABLE in spec && value !== undefined;
  if (!isReloadable) {
    if (file !== undefined) known.push({ name, path: file.path, digest: file.digest });
    return value;
  }
  const keyIds = spec[RELOADABLE] as (value: unknown) => readonly string[];
  const holder = new Reloadable<unknown>(value);
  reloadable.push({ name, keyIds: () => keyIds(holder.current) });
  if (file === undefined) return holder;
  const replace = (text: string): void => {
    holder.replace(clean({ [name]: text }, { [name]: spec }, new Set([name]))[name]);
  };
  known.push({ name, path: file.path, digest: file.digest, replace });
  return holder;
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
