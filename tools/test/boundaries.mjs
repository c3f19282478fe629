// Proves that lint refuses code that crosses a boundary.
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
    file: 'libs/service-host/src/index.ts',
    code: `export { paymentService } from '@bascule/payment';`,
    rule: '@nx/enforce-module-boundaries',
  },
  {
    name: 'a lib cannot reach into another package beside its index',
    file: 'libs/service-host/src/index.ts',
    code: `export * from '../../process/src/logger.js';`,
    rule: '@nx/enforce-module-boundaries',
  },
  {
    name: 'a domain lib cannot import infrastructure',
    file: 'libs/amounts/src/index.ts',
    code: `export * from '@bascule/chain';`,
    rule: '@nx/enforce-module-boundaries',
  },
  ...[
    ['import Nest', `import { Injectable } from '@nestjs/common'; export const used = Injectable;`],
    ['read files', `import { readFileSync } from 'node:fs'; export const used = readFileSync;`],
    ['read files by the old name', `export { readFileSync } from 'fs';`],
    ['open sockets', `export { connect } from 'node:tls';`],
    ['load modules by name', `export { createRequire } from 'node:module';`],
    ['call a chain', `export { createPublicClient } from 'viem';`],
    ['choose a transport', `import { http } from 'viem'; export const used = http;`],
    ['take all of viem', `import * as viem from 'viem'; export const used = viem;`],
    ['hold keys', `export { privateKeyToAccount } from 'viem/accounts';`],
    [
      "use our chains' clients",
      `import { Chains } from '@bascule/chain'; export const used = Chains;`,
    ],
    ['send transactions', `export { TransactionSender } from '@bascule/transactions';`],
    [
      'use a repository',
      `import { Rows } from './x.repository.js'; export const used = new Rows();`,
    ],
    ['know a service', `import type { X } from '../x.service.js'; export type Used = X;`],
    ['run an entity', `import { Row } from './row.entity.js'; export const used = Row;`],
    ['know its service', `export { paymentService } from '../index.js';`],
  ].map(([what, code]) => ({
    name: `a rule of an app cannot ${what}`,
    file: 'apps/payment/src/confirm/rule.ts',
    code,
    rule: '@typescript-eslint/no-restricted-imports',
  })),
  ...[
    ['ask', 'export const used = (chain: Chain) => chain.anyNode;'],
    ['take', 'export const used = ({ anyNode }: Chain) => anyNode;'],
  ].map(([what, code]) => ({
    name: `code cannot ${what} one node of several without a reason`,
    file: 'apps/payment/src/deposits/chain.scanner.ts',
    code: `import type { Chain } from '@bascule/chain'; ${code}`,
    rule: 'no-restricted-properties',
  })),
  {
    name: 'a rule of an app cannot import at run time',
    file: 'apps/payment/src/confirm/rule.ts',
    code: `export const used = import('./x.js');`,
    rule: 'no-restricted-syntax',
  },
  {
    name: 'a rule of an app cannot fetch',
    file: 'apps/payment/src/confirm/rule.ts',
    code: `export const used = () => fetch('http://127.0.0.1');`,
    rule: 'no-restricted-globals',
  },
  {
    name: 'a rule of an app may compute with what computes',
    file: 'apps/payment/src/confirm/rule.ts',
    code: [
      `import { createHmac } from 'node:crypto';`,
      `import { minAmount } from '@bascule/amounts';`,
      `import { ZERO_ADDRESS, type ChainDefinition } from '@bascule/chain';`,
      `import { getAddress, type Hex } from 'viem';`,
      `import type { Row } from './row.entity.js';`,
      `import { policy } from './policy.js';`,
      `export const used = [createHmac, minAmount, ZERO_ADDRESS, getAddress, policy];`,
      `export type Used = [ChainDefinition, Hex, Row];`,
    ].join('\n'),
    rule: undefined,
  },
  {
    name: "the domain's contracts in TypeScript cannot do I/O",
    file: 'libs/solidity/src/rule.ts',
    code: `export { readFileSync } from 'node:fs';`,
    rule: '@typescript-eslint/no-restricted-imports',
  },
  {
    name: 'production code cannot import test support',
    file: 'apps/payment/src/confirm/example.service.ts',
    code: `export { eventually } from '@bascule/testing';`,
    rule: 'no-restricted-imports',
  },
  {
    name: 'production code cannot intercept fault points',
    file: 'apps/payment/src/confirm/example.service.ts',
    code: `export { interceptFaultPoints } from '@bascule/process/testing';`,
    rule: 'no-restricted-imports',
  },
  {
    name: "production code cannot import its own tests' support",
    file: 'apps/payment/src/confirm/example.service.ts',
    code: `export { aPayment } from '../testing/a-payment.js';`,
    rule: 'no-restricted-imports',
  },
  {
    name: 'production code cannot start local servers',
    file: 'libs/chain/src/example.ts',
    code: `export { startAnvil } from '@bascule/local-stack';`,
    rule: 'no-restricted-imports',
  },
  {
    name: 'a stand-in provider cannot import the adapter that is tested against it',
    file: 'apps/sandbox-provider/src/example.service.ts',
    code: `export { ProviderError } from '@bascule/providers';`,
    rule: 'no-restricted-imports',
  },
  {
    name: 'code of an app cannot find a file by its own location',
    file: 'apps/distributed/src/example.ts',
    code: `export const file = new URL('../../package.json', import.meta.url);`,
    rule: 'no-restricted-syntax',
  },
  {
    name: 'the composition may start local servers',
    file: 'apps/standalone/src/example.ts',
    code: `export { startAnvil } from '@bascule/local-stack';`,
    rule: undefined,
  },
  {
    name: 'a test may import test support',
    file: 'apps/payment/src/confirm/example.int-spec.ts',
    code: `export { eventually } from '@bascule/testing';`,
    rule: undefined,
  },
  {
    name: 'an app that neither quotes nor moves money cannot import venues',
    file: 'apps/webhook-dispatch/src/example.service.ts',
    code: `export { createVenues } from '@bascule/venues';`,
    rule: '@nx/enforce-module-boundaries',
  },
  {
    name: 'an app that sends nothing cannot import transactions',
    file: 'apps/quote/src/example.service.ts',
    code: `export { TransactionSender } from '@bascule/transactions';`,
    rule: '@nx/enforce-module-boundaries',
  },
  {
    name: 'a shared lib cannot import providers',
    file: 'libs/service-host/src/example.ts',
    code: `export { ProviderError } from '@bascule/providers';`,
    rule: '@nx/enforce-module-boundaries',
  },
  {
    name: 'a file whose role is I/O may import Nest',
    file: 'apps/payment/src/confirm/example.service.ts',
    code: `import { Injectable } from '@nestjs/common'; export const used = Injectable;`,
    rule: undefined,
  },
  ...['@bascule/solidity', '@bascule/chain', 'viem', '../view/intent-orders.js'].map((name) => ({
    name: `the life cycle cannot import ${name}`,
    file: 'apps/payment/src/life-cycle/rule.ts',
    code: `import type { Used } from '${name}'; export type { Used };`,
    rule: '@typescript-eslint/no-restricted-imports',
  })),
  {
    name: 'a doc comment cannot begin with a relative clause',
    file: 'libs/chain/src/example.ts',
    code: `/** What a node has said last. */\nexport const used = 1;`,
    rule: 'bascule/subject-first',
  },
  {
    name: 'an error cannot begin with the absence of its subject',
    file: 'apps/payment/src/confirm/example.service.ts',
    code: `export const used = () => { throw new Error('There is no such payment.'); };`,
    rule: 'bascule/subject-first',
  },
  {
    name: 'a log message cannot begin with a pronoun',
    file: 'apps/payment/src/confirm/example.service.ts',
    code: `export const used = (log) => log.warn({}, 'nobody answers');`,
    rule: 'bascule/subject-first',
  },
  {
    name: 'a class is called as its file says',
    file: 'apps/payment/src/deposits/deposit.repository.ts',
    code: `export class Deposits {}`,
    rule: 'bascule/class-of-role',
  },
  {
    name: 'a double assertion cannot silence the compiler',
    file: 'apps/payment/src/confirm/example.service.ts',
    code: `export const used = JSON.parse('1') as unknown as bigint;`,
    rule: 'no-restricted-syntax',
  },
  {
    name: 'a double assertion by way of never cannot silence the compiler',
    file: 'apps/payment/src/confirm/example.service.ts',
    code: `export const used = JSON.parse('1') as never as bigint;`,
    rule: 'no-restricted-syntax',
  },
  {
    name: 'the title of a test cannot begin with a relative clause',
    file: 'apps/payment/src/confirm/example.spec.ts',
    code: `it('that has failed is retried', () => { expect(run()).toBe(1); });`,
    rule: 'bascule/subject-first',
  },
  {
    name: 'a test cannot return before it asserts',
    file: 'apps/payment/src/confirm/example.spec.ts',
    code: `it('does something', () => { if (!run()) return; expect(run()).toBe(1); });`,
    rule: 'bascule/no-early-return',
  },
  {
    name: 'a test needs an assertion',
    file: 'apps/payment/src/confirm/example.spec.ts',
    code: `it('does something', () => { run(); });`,
    rule: 'jest/expect-expect',
  },
  {
    name: 'a test cannot be skipped',
    file: 'apps/payment/src/confirm/example.spec.ts',
    code: `it.skip('does something', () => { expect(run()).toBe(1); });`,
    rule: 'jest/no-disabled-tests',
  },
  {
    name: 'a type is imported as a type',
    file: 'apps/payment/src/confirm/example.service.ts',
    code: `import { Payment } from '@bascule/contracts'; export const used = (p: Payment) => p;`,
    rule: '@typescript-eslint/consistent-type-imports',
  },
  {
    name: 'the composition may import the apps',
    file: 'apps/standalone/src/example.ts',
    code: `export { paymentService } from '@bascule/payment';`,
    rule: undefined,
  },
];

/** Lists each case with whether the linter reported the expected rule. */
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
