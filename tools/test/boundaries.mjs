// Proves that the boundaries bite: code that crosses one must be refused by the linter.
import { ESLint } from 'eslint';
import ts from 'typescript-eslint';
import { root } from './commands.mjs';

const CASES = [
  {
    name: 'an app cannot import another app',
    file: 'apps/gateway/src/index.ts',
    code: `export { paymentService } from '@bascule/payment';`,
    rule: '@nx/enforce-module-boundaries',
  },
  {
    name: 'a lib cannot import an app',
    file: 'libs/http/src/index.ts',
    code: `export { paymentService } from '@bascule/payment';`,
    rule: '@nx/enforce-module-boundaries',
  },
  {
    name: 'a lib cannot reach into another package beside its index',
    file: 'libs/http/src/index.ts',
    code: `export * from '../../process/src/logger.js';`,
    rule: '@nx/enforce-module-boundaries',
  },
  {
    name: 'a domain lib cannot import infrastructure',
    file: 'libs/amounts/src/index.ts',
    code: `export * from '@bascule/chain';`,
    rule: '@nx/enforce-module-boundaries',
  },
  {
    name: 'a rule of an app cannot import Nest',
    file: 'apps/payment/src/life-cycle/rule.ts',
    code: `import { Injectable } from '@nestjs/common'; export const used = Injectable;`,
    rule: 'no-restricted-imports',
  },
  {
    name: 'a rule of an app cannot do I/O',
    file: 'apps/payment/src/life-cycle/rule.ts',
    code: `import { readFileSync } from 'node:fs'; export const used = readFileSync;`,
    rule: 'no-restricted-imports',
  },
  {
    name: 'a file whose role is I/O may import Nest',
    file: 'apps/payment/src/confirm/example.service.ts',
    code: `import { Injectable } from '@nestjs/common'; export const used = Injectable;`,
    rule: undefined,
  },
  {
    name: 'the composition may import the apps',
    file: 'apps/standalone/src/example.ts',
    code: `export { paymentService } from '@bascule/payment';`,
    rule: undefined,
  },
];

/** Each case with whether the linter did what it should. */
export async function checkBoundaries() {
  const eslint = new ESLint({
    cwd: root,
    // The fixtures are files that do not exist, so there are no types to look at.
    overrideConfig: [
      ts.configs.disableTypeChecked,
      { languageOptions: { parserOptions: { project: null } } },
    ],
  });
  const results = [];
  for (const { name, file, code, rule } of CASES) {
    const [result] = await eslint.lintText(`${code}\n`, { filePath: root + file });
    const rules = result.messages.map(({ ruleId }) => ruleId);
    const ok = rule ? rules.includes(rule) : rules.length === 0;
    results.push({ name, ok, found: rules });
  }
  return results;
}
