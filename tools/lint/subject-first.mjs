// ESLint rule: doc comments, errors, log messages and titles of tests begin with their subject or with a verb.
import { testFunctionOf } from './test-functions.mjs';

const OPENING =
  /^(?:what|whatever|which|whichever|who|whom|whose|whoever|those|others?|nobody|nothing|none|of|that|these|this|it|its|they|such|only those|with what|where|how)\b/i;
const EXISTENCE = /^there (?:is|are) (?:no|nothing|none)\b/i;

/** Properties whose value is read by people: messages and the help texts of metrics. */
const TEXT_PROPERTIES = new Set(['message', 'help']);
const LOG_LEVELS = new Set(['trace', 'debug', 'info', 'log', 'warn', 'error', 'fatal']);
/** Functions that make an error from a text. */
const ERROR_FACTORIES =
  /(?:Error|Exception|Failure|Problem|Refusal)$|^(?:invalidField|notFound|conflict|forbidden|unavailable|fail)$/;

/** True for a text that begins with a pronoun or a relative clause. */
export const lacksSubject = (text) => OPENING.test(text.trim());

/** True for a message that begins so, or with "There is no". */
export const messageLacksSubject = (text) => lacksSubject(text) || EXISTENCE.test(text.trim());

/** The first line of a doc comment's text, without its stars; undefined when it starts with a tag. */
export function firstLineOf(comment) {
  const line = comment
    .split('\n')
    .map((each) => each.replace(/^[\s*]+/, '').trim())
    .find((each) => each !== '');
  return line === undefined || line.startsWith('@') ? undefined : line;
}

function textOf(node) {
  if (node?.type === 'Literal' && typeof node.value === 'string') return node.value;
  if (node?.type === 'TemplateLiteral') return node.quasis[0].value.cooked ?? '';
  return undefined;
}

const nameOf = (callee) =>
  callee.type === 'Identifier'
    ? callee.name
    : callee.type === 'MemberExpression' && callee.property.type === 'Identifier'
      ? callee.property.name
      : '';

const isMessageCall = ({ callee }) =>
  ERROR_FACTORIES.test(nameOf(callee)) ||
  (callee.type === 'MemberExpression' && LOG_LEVELS.has(nameOf(callee)));

export const subjectFirst = {
  meta: {
    type: 'suggestion',
    schema: [],
    messages: {
      comment: 'A doc comment begins with its subject or a verb, not with "{{opening}}".',
      message: 'A message begins with its subject, not with "{{opening}}".',
      title: 'The title of a test begins with a verb or its subject, not with "{{opening}}".',
    },
  },
  create(context) {
    const report = (messageId, target, text) =>
      context.report({
        ...target,
        messageId,
        data: { opening: text.trim().split(/\s+/).slice(0, 3).join(' ') },
      });
    const checkMessage = (node) => {
      const text = textOf(node);
      if (text !== undefined && messageLacksSubject(text)) report('message', { node }, text);
    };
    const checkMessages = (node) => {
      if (isMessageCall(node)) node.arguments.forEach(checkMessage);
    };
    const checkTitle = ({ callee, arguments: [title] }) => {
      const text = testFunctionOf(callee) && textOf(title);
      if (text !== undefined && messageLacksSubject(text)) report('title', { node: title }, text);
    };
    return {
      Program() {
        for (const comment of context.sourceCode.getAllComments()) {
          if (comment.type !== 'Block' || !comment.value.startsWith('*')) continue;
          const line = firstLineOf(comment.value);
          if (line && lacksSubject(line)) report('comment', { loc: comment.loc }, line);
        }
      },
      CallExpression(node) {
        checkMessages(node);
        checkTitle(node);
      },
      NewExpression: checkMessages,
      Property({ key, value }) {
        if (key.type === 'Identifier' && TEXT_PROPERTIES.has(key.name)) checkMessage(value);
      },
    };
  },
};
