import ts from 'typescript';

/** Files whose rows are tests: functions by name, in a table for each field. */
const ROWS = /(^|\/)tests\/field-effects\/[\w-]+-rows\.ts$/;
const RUNNERS = ['it', 'test'];
const DISABLED = ['skip', 'todo', 'failing'];

/**
 * Titles of the tests that a file runs, each after those of its groups. Tests in comments and skipped ones are none.
 * @param file path with slashes
 */
export function testTitles(file: string, text: string): string[][] {
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true);
  const found: string[][] = [];
  const visit = (node: ts.Node, groups: readonly string[]): void => {
    const call = ts.isCallExpression(node) ? titledCall(node) : null;
    if (call?.isDisabled) return;
    if (call?.kind === 'test') found.push([...groups, call.title]);
    const row = ROWS.test(file) ? rowName(node) : null;
    if (row?.isTest) found.push([...groups, row.name]);
    const own = call?.kind === 'group' ? call.title : row?.isTest === false ? row.name : null;
    ts.forEachChild(node, (child) => visit(child, own === null ? groups : [...groups, own]));
  };
  visit(source, []);
  return found;
}

function titledCall({ expression, arguments: [first] }: ts.CallExpression) {
  if (first === undefined || !ts.isStringLiteralLike(first)) return null;
  const [root = '', ...members] = namesOf(expression);
  const kind = RUNNERS.includes(root) ? 'test' : root === 'describe' ? 'group' : null;
  if (kind === null) return null;
  const isDisabled = members.some((name) => DISABLED.includes(name));
  return { kind, title: first.text, isDisabled } as const;
}

/** Names of a chain such as `it.each([…])`. */
function namesOf(node: ts.Expression): string[] {
  if (ts.isIdentifier(node)) return [node.text];
  if (ts.isCallExpression(node)) return namesOf(node.expression);
  if (ts.isPropertyAccessExpression(node)) return [...namesOf(node.expression), node.name.text];
  return [];
}

/** Name of a property, and whether it is a test or a table of tests. */
function rowName(node: ts.Node): { name: string; isTest: boolean } | null {
  if (!ts.isPropertyAssignment(node)) return null;
  const { name, initializer } = node;
  if (ts.isStringLiteral(name)) return { name: name.text, isTest: true };
  return ts.isIdentifier(name) && ts.isObjectLiteralExpression(initializer)
    ? { name: name.text, isTest: false }
    : null;
}
