import { existsSync, globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import ts from 'typescript';

const SPECS = '{apps,libs,tests,tools}/**/*.{spec,int-spec,e2e-spec}.ts';
const LEFT_OUT = /(?:^|\/)(?:node_modules|dist)$/;

/** Spec files of the repository, and the files that they import, also through others. */
export const runFiles = (root: string): Set<string> =>
  importedFrom(specFiles(root), (file) => {
    const path = join(root, file);
    return existsSync(path) ? readFileSync(path, 'utf8') : null;
  });

const specFiles = (root: string): string[] =>
  globSync(SPECS, { cwd: root, exclude: (path) => LEFT_OUT.test(path) });

/**
 * Files and those that they import by relative paths, also through others. An import of types alone runs nothing.
 * @param read text of a file; null when it does not exist
 */
export function importedFrom(
  files: readonly string[],
  read: (file: string) => string | null,
): Set<string> {
  const reached = new Set<string>();
  const open = [...files];
  for (let file = open.pop(); file !== undefined; file = open.pop()) {
    if (reached.has(file)) continue;
    const text = read(file);
    if (text === null) continue;
    reached.add(file);
    const folder = dirname(file);
    open.push(...relativeImports(text).map((path) => join(folder, path.replace(/\.js$/, '.ts'))));
  }
  return reached;
}

function relativeImports(text: string): string[] {
  const { statements } = ts.createSourceFile('', text, ts.ScriptTarget.Latest);
  return statements.flatMap((statement) => {
    if (!ts.isImportDeclaration(statement) && !ts.isExportDeclaration(statement)) return [];
    const { moduleSpecifier } = statement;
    if (moduleSpecifier === undefined || !ts.isStringLiteral(moduleSpecifier)) return [];
    return isOfTypes(statement) || !moduleSpecifier.text.startsWith('.')
      ? []
      : [moduleSpecifier.text];
  });
}

const isOfTypes = (statement: ts.ImportDeclaration | ts.ExportDeclaration): boolean =>
  ts.isImportDeclaration(statement)
    ? statement.importClause?.phaseModifier === ts.SyntaxKind.TypeKeyword
    : statement.isTypeOnly;
