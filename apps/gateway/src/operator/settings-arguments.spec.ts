import { UsageError } from '@bascule/operator-commands';
import { describe, expect, it } from '@jest/globals';
import { isSettingsGroup, parseSettingsCommand } from './settings-arguments.js';

const id = '0190b2c3-0000-7000-8000-000000000001';
const FIRST = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8';
const SECOND = '0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC';
const deployment = { chains: new Set(['base', 'ethereum']), isDevelopment: false };
const parse = (line: string, isDevelopment = false) =>
  parseSettingsCommand(line.split(' '), { ...deployment, isDevelopment });
const create = (receivers: string, name = 'partner') =>
  parse(`rev-shares create --organisation ${id} --name ${name} --receivers ${receivers}`);
const receiver = (index: number, pct: string) => `base:0x${String(index).padStart(40, '1')}=${pct}`;

describe('the command line of revenue shares', () => {
  it('reads receivers with their chains and percentages', () => {
    const receivers = `base:${FIRST.toLowerCase()}=1.50,base:${SECOND}=0.0001,ethereum:${FIRST}=2.5`;
    expect(create(receivers)).toEqual({
      name: 'rev-shares create',
      organisationId: id,
      share: {
        name: 'partner',
        receivers: [
          { chain: 'base', address: FIRST, pct: '1.5' },
          { chain: 'base', address: SECOND, pct: '0.0001' },
          { chain: 'ethereum', address: FIRST, pct: '2.5' },
        ],
      },
    });
  });

  it('lists and disables', () => {
    expect(parse(`rev-shares list --organisation ${id}`)).toEqual({
      name: 'rev-shares list',
      organisationId: id,
    });
    expect(parse(`rev-shares disable --organisation ${id} --name partner`)).toEqual({
      name: 'rev-shares disable',
      organisationId: id,
      share: 'partner',
    });
  });

  it.each([
    ['an unknown chain', `solana:${FIRST}=1`, 'unknown chain: solana'],
    ['a chain without a percentage', `base:${FIRST}`, 'expected CHAIN:ADDRESS=PCT'],
    ['a malformed address', 'base:0x12=1', 'expected CHAIN:ADDRESS=PCT'],
    ['a wrong checksum', `base:${FIRST.replace('C8', 'c8')}=1`, 'checksum'],
    ['the zero address', `base:0x${'0'.repeat(40)}=1`, 'zero address'],
    ['a precompile', `base:0x${'0'.repeat(39)}1=1`, 'precompile'],
    ['zero percent', `base:${FIRST}=0.0`, 'greater than zero'],
    ['a negative percentage', `base:${FIRST}=-1`, 'expected CHAIN:ADDRESS=PCT'],
    ['a percentage that is no number', `base:${FIRST}=1.2.3`, 'expected a percentage'],
    ['a fifth decimal', `base:${FIRST}=0.00001`, 'at most 4 decimals'],
    ['one receiver over the maximum', `base:${FIRST}=2.5001`, 'got 2.5001 %'],
    ['a sum over the maximum', `base:${FIRST}=2.5,base:${SECOND}=0.0001`, 'got 2.5001 %'],
    ['a receiver twice', `base:${FIRST}=1,base:${FIRST.toLowerCase()}=1`, 'twice on base'],
    [
      'five receivers',
      [1, 2, 3, 4, 5].map((n) => receiver(n, '0.1')).join(),
      'at most 4 receivers',
    ],
    ['an empty item', `base:${FIRST}=1,`, 'expected CHAIN:ADDRESS=PCT'],
  ])('refuses %s', (_, receivers, message) => {
    expect(() => create(receivers)).toThrow(UsageError);
    expect(() => create(receivers)).toThrow(message);
  });

  it('counts the maximum for each chain', () => {
    expect(() => create(`base:${FIRST}=2.5,ethereum:${FIRST}=2.5`)).not.toThrow();
    expect(() => create([1, 2, 3, 4].map((n) => receiver(n, '0.625')).join())).not.toThrow();
  });

  it.each(['-x', 'a/b', 'x'.repeat(65), 'ünï'])('refuses the name %s', (name) => {
    expect(() => create(`base:${FIRST}=1`, name)).toThrow(UsageError);
  });

  it.each([
    'rev-shares',
    'rev-shares remove',
    'rev-shares list',
    'rev-shares list --organisation 1',
    `rev-shares create --organisation ${id} --name partner`,
    `rev-shares disable --organisation ${id}`,
    `rev-shares list --organisation ${id} --all`,
  ])('refuses "%s"', (line) => {
    expect(() => parse(line)).toThrow(UsageError);
  });

  it('knows its groups', () => {
    const groups = ['rev-shares', 'edges', 'redirect-origins', 'quotas', 'rev', 'keys', undefined];
    const known = [true, true, true, true, false, false, false];
    expect(groups.map(isSettingsGroup)).toEqual(known);
  });
});

describe('the command line of edges', () => {
  it('names one edge rule', () => {
    expect(parse(`edges open --organisation ${id} --edge sepa-test`)).toEqual({
      ...{ name: 'edges open', organisationId: id, edge: 'sepa-test' },
    });
    expect(parse(`edges close --organisation ${id} --edge sepa-test`)).toMatchObject({
      name: 'edges close',
    });
    expect(parse(`edges list --organisation ${id}`)).toEqual({
      name: 'edges list',
      organisationId: id,
    });
  });

  it.each(['', ' --edge A', ' --edge a/b', ` --edge ${'x'.repeat(65)}`])(
    'refuses "edges open%s"',
    (rest) => {
      expect(() => parse(`edges open --organisation ${id}${rest}`)).toThrow(UsageError);
    },
  );
});

describe('the command line of quotas', () => {
  const set = (flags: string) => parse(`quotas set --organisation ${id} ${flags}`);

  it('reads the quotas that are named', () => {
    expect(
      set('--quotes-per-second 20 --unfunded-payments 500 --unsigned-withdrawals default'),
    ).toEqual({
      ...{ name: 'quotas set', organisationId: id },
      quotas: { quotes_per_second: 20, unfunded_payments: 500, unsigned_withdrawals: null },
    });
    expect(set('--unsigned-withdrawals 1')).toMatchObject({ quotas: { unsigned_withdrawals: 1 } });
    expect(parse(`quotas list --organisation ${id}`)).toEqual({
      ...{ name: 'quotas list', organisationId: id },
    });
  });

  it.each(['0', '-1', '1.5', '100001', 'many', '1e3'])('refuses %s', (quota) => {
    expect(() => set(`--unfunded-payments=${quota}`)).toThrow('must be 1 to 100000, or default');
  });

  it('needs at least one quota', () => {
    expect(() => parse(`quotas set --organisation ${id}`)).toThrow('is missing');
  });
});

describe('the command line of redirect origins', () => {
  const add = (origin: string, isDevelopment = false) =>
    parse(`redirect-origins add --organisation ${id} --origin ${origin}`, isDevelopment);

  it.each([
    ['https://shop.example', 'https://shop.example'],
    ['https://Shop.Example/', 'https://shop.example'],
    ['https://shop.example:443', 'https://shop.example'],
    ['https://shop.example:8443', 'https://shop.example:8443'],
    ['https://b\u00fccher.example', 'https://xn--bcher-kva.example'],
  ])('reads %s', (text, origin) => {
    expect(add(text)).toEqual({ name: 'redirect-origins add', organisationId: id, origin });
  });

  it.each([
    'http://shop.example',
    'http://localhost:3000',
    'https://shop.example/path',
    'https://shop.example/?a=1',
    'https://shop.example/#a',
    'https://user:password@shop.example',
    'https://*.shop.example',
    'shop.example',
    'myapp://return',
    'javascript:alert(1)',
    'null',
    `https://${'a.'.repeat(130)}example`,
  ])('refuses %s', (text) => {
    expect(() => add(text)).toThrow(UsageError);
  });

  it('reads http of this machine on a development deployment only', () => {
    for (const origin of ['http://localhost:3000', 'http://127.0.0.1', 'http://[::1]:8080']) {
      expect(add(origin, true)).toMatchObject({ origin });
      expect(() => add(origin)).toThrow(UsageError);
    }
    expect(() => add('http://shop.example', true)).toThrow(UsageError);
  });

  it('removes and lists', () => {
    const remove = `redirect-origins remove --organisation ${id} --origin http://localhost:3000`;
    expect(parse(remove)).toEqual({
      ...{ name: 'redirect-origins remove', organisationId: id, origin: 'http://localhost:3000' },
    });
    expect(parse(`redirect-origins list --organisation ${id}`)).toEqual({
      name: 'redirect-origins list',
      organisationId: id,
    });
  });
});
