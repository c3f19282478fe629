import { OperatorError } from '@bascule/operator-commands';
import { afterAll, describe, expect, it } from '@jest/globals';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Deployment } from './deployment.js';
import { missing, ok, wrong, type Check, type Outcome } from './finding.js';
import { redacted } from './redact.js';
import { tableOf } from './report.js';
import { isSound, runChecks } from './run-checks.js';
import { changed, deploymentOf, environmentsWith } from './testing/deployment.fixture.js';

const deployment: Deployment = deploymentOf({});

const check = (
  name: string,
  read: (signal: AbortSignal) => Promise<readonly Outcome[]>,
): Check => ({
  name,
  probes: () => [{ subject: 'one', read }],
});

describe('the preflight', () => {
  it('shows what fails beside all other findings, without the text of foreign errors', async () => {
    const findings = await runChecks(
      [
        check('first', () => Promise.reject(new TypeError('secret-key'))),
        check('second', () => Promise.reject(new OperatorError('no database'))),
        check('third', async () => [ok('fine'), { ...wrong('bad', 'mend it'), subject: 'two' }]),
      ],
      deployment,
    );
    expect(
      findings.map(({ check: name, subject, state, found }) => [name, subject, state, found]),
    ).toEqual([
      ['first', 'one', 'unknown', 'TypeError'],
      ['second', 'one', 'unknown', 'no database'],
      ['third', 'one', 'ok', 'fine'],
      ['third', 'two', 'wrong', 'bad'],
    ]);
  });

  it('ends a probe that takes too long, and aborts its work', async () => {
    const ends: boolean[] = [];
    const endless = check('endless', async (signal) => {
      signal.addEventListener('abort', () => ends.push(true));
      return new Promise(() => undefined);
    });
    const findings = await runChecks([endless, check('other', async () => [ok()])], deployment, 20);
    expect(findings.map(({ state, found }) => [state, found])).toEqual([
      ['unknown', 'timed out after 20 ms'],
      ['ok', undefined],
    ]);
    expect(ends).toEqual([true]);
  });

  it('shows a check that fails as a whole beside all other findings', async () => {
    const failing: Check = {
      name: 'failing',
      probes() {
        throw new OperatorError('settings: the executor is missing');
      },
    };
    const findings = await runChecks([failing, check('other', async () => [ok()])], deployment);
    expect(findings.map(({ check: name, state, found }) => [name, state, found])).toEqual([
      ['failing', 'unknown', 'settings: the executor is missing'],
      ['other', 'ok', undefined],
    ]);
  });

  it('is sound only where something was found, and all of it is ok', async () => {
    const found = (outcomes: readonly Outcome[]) =>
      runChecks([check('c', async () => outcomes)], deployment);
    expect(isSound([])).toBe(false);
    expect(isSound(await found([ok(), ok()]))).toBe(true);
    expect(isSound(await found([ok(), missing('nothing', 'add it')]))).toBe(false);
  });

  it('prints a table with what to do, and a verdict', async () => {
    const outcomes = [ok('3 values'), { ...missing('no code', 'deploy it'), subject: 'another' }];
    const findings = await runChecks([check('contracts', async () => outcomes)], deployment);
    expect(tableOf(findings)).toBe(
      [
        'check      subject  state    found     what to do',
        'contracts  one      ok       3 values',
        'contracts  another  missing  no code   deploy it',
        '',
        'Not ready: 1 missing, 0 wrong, 0 cannot tell of 2 findings.',
      ].join('\n'),
    );
    const hostile = [{ check: 'c', subject: 's', state: 'wrong', found: 'a\u001b[2J\nb' } as const];
    expect(tableOf(hostile)).toMatch(/\nc +s +wrong +a \[2J b\n/);
    expect(tableOf(findings.slice(0, 1))).toMatch(/\nEverything is as expected: 1 findings\.$/);
  });
});

describe('the output', () => {
  const folder = mkdtempSync(join(tmpdir(), 'bascule-redact-'));
  afterAll(() => rmSync(folder, { recursive: true }));

  it('masks every secret of the environments', () => {
    const environments = environmentsWith({
      DATABASE_URL: 'postgres://role:pass%2Fword-1@db.example/payment',
      RPC_URLS_ALPHANET: 'https://a.example/v2/0123456789abcdef,https://b.example/?key=fedcba9876',
      KAFKA_BROKERS: 'kafka.example:9092',
    });
    const file = join(folder, 'sasl-password');
    writeFileSync(file, 'password-in-a-file\n');
    const withFile = changed(environments, 'quote', { KAFKA_SASL_PASSWORD_FILE: file });
    const { services } = deploymentOf(withFile);
    const { payment = {}, 'webhook-dispatch': webhooks = {} } = environments;
    const { k } = (JSON.parse(webhooks['WEBHOOK_SECRET_KEYS'] ?? '[]') as { k: string }[])[0] ?? {
      k: '',
    };
    const { d } = JSON.parse(payment['FUNDING_TOKEN_PRIVATE_KEY'] ?? '{}') as { d: string };
    const secrets = [
      ...['pass%2Fword-1', 'pass/word-1', '0123456789abcdef', 'key=fedcba9876', k, d],
      payment['EXECUTOR_PRIVATE_KEY'] ?? '',
      'password-in-a-file',
    ];
    const found = secrets.join(' ');
    const finding = { check: 'c', subject: 's', state: 'wrong', found, action: found } as const;
    const masked = secrets.map(() => '***').join(' ');
    expect(redacted([finding], { services })).toEqual([
      { ...finding, found: masked, action: masked },
    ]);
    const harmless = { ...finding, found: 'kafka.example:9092', action: 'payment on alphanet' };
    expect(redacted([harmless], { services })).toEqual([harmless]);
  });
});
