import { classOfRoleRule } from './class-of-role.mjs';
import { noEarlyReturn } from './no-early-return.mjs';
import { subjectFirst } from './subject-first.mjs';

/** The project's own ESLint rules. */
export default {
  rules: {
    'class-of-role': classOfRoleRule,
    'no-early-return': noEarlyReturn,
    'subject-first': subjectFirst,
  },
};
