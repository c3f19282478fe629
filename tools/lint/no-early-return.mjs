// ESLint rule: a test does not return before its last assertion.
import { testFunctionOf } from './test-functions.mjs';

const ASSERTION = /^(?:expect|assert)/;
const LOOP = /^(?:For\w*|While|DoWhile)Statement$/;

const isTest = ({ type, callee }) =>
  type === 'CallExpression' && ['it', 'test'].includes(testFunctionOf(callee));

/** The name that a call begins with: `expect` of `expect(a).resolves.toBe(b)`. */
function firstName(callee) {
  if (callee.type === 'Identifier') return callee.name;
  if (callee.type === 'MemberExpression') return firstName(callee.object);
  return callee.type === 'CallExpression' ? firstName(callee.callee) : '';
}

/** Start of the code that a return may skip: its outermost loop in the function, or its own end. */
function skippedFrom(node, owner) {
  let start = node.range[1];
  for (let outer = node.parent; outer !== owner; outer = outer.parent) {
    if (LOOP.test(outer.type)) start = outer.range[0];
  }
  return start;
}

const isIn = (start, { range }) => start >= range[0] && start < range[1];

export const noEarlyReturn = {
  meta: {
    type: 'problem',
    schema: [],
    messages: {
      early: 'A test does not return before an assertion; split the test, or assert the condition.',
    },
  },
  create(context) {
    const assertions = [];
    const functions = [];
    const enter = (node) => functions.push({ node, returns: [] });
    const leave = (node) => {
      const { returns } = functions.pop();
      if (!isTest(node.parent)) return;
      for (const early of returns) {
        const from = skippedFrom(early, node);
        const isSkipped = (start) => start >= from && start < node.range[1] && !isIn(start, early);
        if (assertions.some(isSkipped)) context.report({ node: early, messageId: 'early' });
      }
    };
    return {
      FunctionDeclaration: enter,
      FunctionExpression: enter,
      ArrowFunctionExpression: enter,
      'FunctionDeclaration:exit': leave,
      'FunctionExpression:exit': leave,
      'ArrowFunctionExpression:exit': leave,
      ReturnStatement(node) {
        functions.at(-1)?.returns.push(node);
      },
      CallExpression(node) {
        if (ASSERTION.test(firstName(node.callee))) assertions.push(node.range[0]);
      },
    };
  },
};
