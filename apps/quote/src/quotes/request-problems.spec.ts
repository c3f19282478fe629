import { formatAmount } from '@bascule/amounts';
import { describe, expect, it } from '@jest/globals';
import { maxUint256 } from 'viem';
import type { KnownAsset } from '../routes/known-asset.js';
import { requestProblems } from './request-problems.js';

const assets: KnownAsset[] = [
  { kind: 'fiat', id: 'usd', symbol: 'USD', decimals: 2 },
  { kind: 'token', id: 'alphanet:0x', symbol: 'ETH', decimals: 18, chain: 'alphanet' },
];
const COUNTRIES = new Set(['DEU', 'ATA', 'XKX']);
const known = {
  assets: new Map(assets.map((asset) => [asset.id, asset])),
  chains: new Set(['alphanet', 'betanet', 'deltanet']),
  isCountry: (alpha3: string) => COUNTRIES.has(alpha3),
  mode: undefined,
  hint: '',
  ownContracts: () => [],
  maxActionGas: 1_000n,
};
const request = (asset: unknown, amount: unknown, output: unknown, rest: object = {}): unknown => ({
  request: {
    kind: 'FIXED_INPUT',
    fixed_input_amount: { asset, amount },
    output_asset: output,
  },
  ...rest,
});
const AMOUNT = 'request.fixed_input_amount.amount';
const at = (alpha3_country_code: string): unknown => ({
  customer_geolocation: { alpha3_country_code },
});
const destination = (dest_address: string): unknown => ({ request: { dest_address } });
const paths = (body: unknown): string[] =>
  requestProblems(body, known).map((problem) =>
    'path' in problem ? problem.path.join('.') : problem.kind,
  );

describe('a test outcome', () => {
  const problems = (mode: 'live' | 'test' | undefined, body: object) =>
    requestProblems({ test_outcome: 'FAILS', ...body }, { ...known, mode });

  it('needs a test key', () => {
    const message = 'Not allowed with a live key.';
    for (const mode of ['live', undefined] as const) {
      expect(problems(mode, {})).toEqual([{ code: 'custom', path: ['test_outcome'], message }]);
    }
    expect(problems('test', {})).toEqual([]);
    expect(requestProblems({ test_outcome: null }, known)).toEqual([]);
  });

  it('leaves no room for custom actions, whose simulation it would fail', () => {
    const actions = [{ type: 'CallImmediateAction' }];
    const paths = (custom_actions: object) =>
      problems('test', { request: { custom_actions } }).map((each) => 'path' in each && each.path);
    expect(paths({ actions })).toContainEqual(['test_outcome']);
    expect(paths({ actions: [] })).not.toContainEqual(['test_outcome']);
  });
});

describe('requestProblems', () => {
  it('accepts a valid request in any letter case', () => {
    expect(paths(request('USD', '10.5', 'alphanet:0X'))).toEqual([]);
    expect(
      paths(request('usd', '1', 'alphanet:0x', { onramps: ['SwiftRamp'], price_currency: 'USD' })),
    ).toEqual([]);
  });

  it('accepts every country, and leaves malformed codes to the schema check', () => {
    for (const code of ['DEU', 'ATA', 'XKX', 'deu', 'D']) expect(paths(at(code))).toEqual([]);
  });

  it('accepts equal input and output token: a plain transfer', () => {
    expect(paths(request('alphanet:0x', '1', 'alphanet:0x'))).toEqual([]);
  });

  it('reports all problems together', () => {
    const body = request('usd', '10.505', 'nowhere:0x', {
      onramps: ['swiftramp', 'nobody'],
      price_currency: 'xyz',
    });
    expect(paths(body)).toEqual([
      'request.fixed_input_amount.amount',
      'request.output_asset',
      'price_currency',
    ]);
  });

  it('words an unknown price currency as one without a price', () => {
    const body = request('usd', '10', 'alphanet:0x', { price_currency: 'XYZ' });
    expect(requestProblems(body, known)).toEqual([
      { code: 'custom', path: ['price_currency'], message: 'No current price of xyz.' },
    ]);
  });

  it.each([
    ['an unknown input', request('eur', '1', 'alphanet:0x'), 'request.fixed_input_amount.asset'],
    [
      'an amount of zero',
      request('usd', '0.00', 'alphanet:0x'),
      'request.fixed_input_amount.amount',
    ],
    ['fiat for itself', request('usd', '1', 'USD'), 'request.output_asset'],
    ['a country without a code', at('ZZZ'), 'customer_geolocation.alpha3_country_code'],
    ['an unknown hop', { hops: ['alphanet:0x'] }, 'hops.0'],
    ['an amount above 256 bits', request('alphanet:0x', '9'.repeat(61), 'alphanet:0x'), AMOUNT],
    ['a wrong checksum', destination(`0xA${'a'.repeat(39)}`), 'request.dest_address'],
    ['the zero address', destination(`0x${'0'.repeat(40)}`), 'request.dest_address'],
    ['a precompile', destination(`0x${'0'.repeat(37)}100`), 'request.dest_address'],
  ])('refuses %s', (_, body, path) => {
    expect(paths(body)).toEqual([path]);
  });

  it('refuses custom action targets that must not receive money', () => {
    const actions = [{ target: `0x${'0'.repeat(39)}1` }, { target: `0x${'a'.repeat(40)}` }, {}];
    expect(paths({ request: { custom_actions: { actions } } })).toEqual([
      'request.custom_actions.actions.0.target',
    ]);
  });

  it('accepts the largest 256-bit amount', () => {
    const most = formatAmount(maxUint256, 18);
    expect(paths(request('alphanet:0x', most, 'alphanet:0x'))).toEqual([]);
  });

  it('treats null and empty hops as absent', () => {
    const rest = { hops: [], onramps: null, price_currency: null, rev_share_name: null };
    expect(paths(request('usd', '1', 'alphanet:0x', rest))).toEqual([]);
    expect(paths({ request: { custom_actions: null }, hops: null })).toEqual([]);
  });

  it.each([[null], ['text'], [[]], [{ request: 1 }], [request(1, 2, 3, { onramps: 'x' })]])(
    'ignores malformed input, which the schema check reports: %j',
    (body) => {
      expect(paths(body)).toEqual([]);
    },
  );
});
