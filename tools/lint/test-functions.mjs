const TEST_FUNCTIONS = new Set(['describe', 'it', 'test']);

/** Returns the function under `it.only`, `it.each(…)` and tagged tables; undefined for other callees. */
export function testFunctionOf(callee) {
  switch (callee.type) {
    case 'Identifier':
      return TEST_FUNCTIONS.has(callee.name) ? callee.name : undefined;
    case 'MemberExpression':
      return testFunctionOf(callee.object);
    case 'CallExpression':
      return testFunctionOf(callee.callee);
    case 'TaggedTemplateExpression':
      return testFunctionOf(callee.tag);
    default:
      return undefined;
  }
}
