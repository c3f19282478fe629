import { classOfRoleRule } from './class-of-role.mjs';
import { subjectFirst } from './subject-first.mjs';

/** The project's own ESLint rules. */
export default {
  rules: { 'class-of-role': classOfRoleRule, 'subject-first': subjectFirst },
};
