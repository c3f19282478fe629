import path from 'node:path';
import ts from 'typescript';

const ROOT = path.resolve(import.meta.dirname, '../../../..');

/** Parsed files of the workspace and of its libraries, unedited; parsing them is most of the work. */
const parsed = new Map<string, ts.SourceFile>();

/** Returns the edited text of a file. */
export type Edit = (text: string) => string;

/** Replaces one place of a text; throws where the place is missing, so that no test passes for want of its edit. */
export const replacing =
  (from: string, to: string): Edit =>
  (text) => {
    if (!text.includes(from)) throw new Error(`no "${from}" to replace`);
    return text.replace(from, to);
  };

/**
 * Type-checks files of the workspace, some of them edited in memory.
 * @param files paths from the workspace's root, checked with all that they import
 * @returns the paths of files with type errors, each once, in order
 */
export function filesWithTypeErrors(
  files: readonly string[],
  edits: Readonly<Record<string, Edit>> = {},
): string[] {
  const options = compilerOptions();
  const host = ts.createCompilerHost(options);
  const read = host.readFile.bind(host);
  const edited = new Map(
    Object.entries(edits).map(([file, edit]) => [path.join(ROOT, file), edit] as const),
  );
  const readFile = (file: string): string | undefined => {
    const text = read(file);
    const edit = edited.get(path.normalize(file));
    return text === undefined || edit === undefined ? text : edit(text);
  };
  host.readFile = readFile;
  host.getSourceFile = (file, language) => {
    const cached = edited.has(path.normalize(file)) ? undefined : parsed.get(file);
    if (cached !== undefined) return cached;
    const text = readFile(file);
    if (text === undefined) return undefined;
    const source = ts.createSourceFile(file, text, language);
    if (!edited.has(path.normalize(file))) parsed.set(file, source);
    return source;
  };
  const program = ts.createProgram(
    files.map((file) => path.join(ROOT, file)),
    options,
    host,
  );
  const failing = ts
    .getPreEmitDiagnostics(program)
    .flatMap(({ file }) => (file === undefined ? [] : [path.relative(ROOT, file.fileName)]));
  return [...new Set(failing)].sort();
}

function compilerOptions(): ts.CompilerOptions {
  const file = path.join(ROOT, 'tsconfig.base.json');
  const { config } = ts.readConfigFile(file, (name) => ts.sys.readFile(name)) as {
    config: { compilerOptions: object };
  };
  const { options } = ts.convertCompilerOptionsFromJson(config.compilerOptions, ROOT);
  return { ...options, composite: false, declaration: false, declarationMap: false, noEmit: true };
}
