import { readVariableFile, VariableFileError, type VariableFile } from './read-variable-file.js';

type Environment = Readonly<Record<string, string | undefined>>;

/** Variable of an environment whose value came from a file. */
export interface FileVariable {
  readonly name: string;
  readonly path: string;
  /** Digest of the value that was read at the start. */
  readonly digest: string;
  /** Replaces the value in use; absent where that needs a restart. Throws where the new value is not valid. */
  readonly replace?: (text: string) => void;
}

/** Variable that may be replaced without a restart, from a file or not. */
export interface ReloadableVariable {
  readonly name: string;
  /** Names of the keys in the value, which are no secrets. */
  readonly keyIds: () => readonly string[];
}

/** Variables of one environment that were parsed so far. */
export interface ParsedVariables {
  readonly files: FileVariable[];
  readonly reloadable: ReloadableVariable[];
}

const parsed = new WeakMap<object, ParsedVariables>();

/** Returns what was parsed from an environment, by the identity of its object. */
export function parsedVariables(env: object): ParsedVariables {
  const known = parsed.get(env) ?? { files: [], reloadable: [] };
  parsed.set(env, known);
  return known;
}

export interface FileValues {
  /** Contents by the name of their variable. */
  readonly contents: ReadonlyMap<string, VariableFile & { path: string }>;
  /** Reasons by the name of a variable without a usable value. */
  readonly problems: ReadonlyMap<string, string>;
}

/** Reads the files of those variables that `<NAME>_FILE` gives. */
export function readFileVariables(env: Environment, names: readonly string[]): FileValues {
  const contents = new Map<string, VariableFile & { path: string }>();
  const problems = new Map<string, string>();
  for (const name of names) {
    const path = env[`${name}_FILE`] ?? '';
    if (path === '' || names.includes(`${name}_FILE`)) continue;
    if ((env[name] ?? '') !== '') {
      problems.set(name, `both ${name} and ${name}_FILE are set; remove one`);
      continue;
    }
    try {
      contents.set(name, { ...readVariableFile(path), path });
    } catch (error) {
      if (!(error instanceof VariableFileError)) throw error;
      problems.set(name, `${name}_FILE: ${error.message}`);
    }
  }
  return { contents, problems };
}
