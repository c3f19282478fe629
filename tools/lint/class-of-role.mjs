// ESLint rule: in `<name>.<role>.ts` the class is called <Name><Role>.
import { basename } from 'node:path';

const pascal = (text) =>
  text.replace(/(?:^|[-.])(\w)/g, (_, letter) => letter.toUpperCase()).replace(/[-.]/g, '');

/** The class that a file has to export if it exports any; undefined for a file without such a role. */
export function classOfRole(path, roles) {
  const [, name, role] = /^([\w-]+)\.([a-z]+)\.ts$/.exec(basename(path)) ?? [];
  return role && roles.includes(role) ? pascal(`${name}.${role}`) : undefined;
}

export const classOfRoleRule = {
  meta: {
    type: 'suggestion',
    schema: [{ type: 'array', items: { type: 'string' } }],
    messages: { name: 'The class of this file is called {{expected}}; found {{found}}.' },
  },
  create(context) {
    const expected = classOfRole(context.filename, context.options[0]);
    if (!expected) return {};
    return {
      Program(program) {
        const classes = program.body
          .filter(({ type }) => type.startsWith('Export'))
          .map(({ declaration }) => declaration)
          .filter((node) => node?.type === 'ClassDeclaration' && node.id);
        const names = classes.map(({ id }) => id.name);
        if (names.length === 0 || names.includes(expected)) return;
        context.report({
          node: classes[0].id,
          messageId: 'name',
          data: { expected, found: names.join(', ') },
        });
      },
    };
  },
};
