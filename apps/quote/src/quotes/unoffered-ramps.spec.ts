import { describe, expect, it } from '@jest/globals';
import type { Route } from '../routes/route.js';
import { USDC } from '../testing/quoted-route.fixture.js';
import { ramp } from '../testing/routing-world.fixture.js';
import { disabledMethods, unknownProviders, unofferedMethods } from './unoffered-ramps.js';

const legs: Route['legs'] = [
  { chain: 'alphanet', inputToken: USDC, outputToken: USDC, lane: null },
];
const bySepa: Route = { ramp: ramp('swift', 'usd', USDC), legs };
const byCard: Route = { ramp: { ...ramp('thrift', 'usd', USDC), method: 'CREDIT_CARD' }, legs };
const way = { input: 'usd', output: USDC };

describe('unofferedMethods', () => {
  it('names the methods that no provider offers, and those that they offer', () => {
    const wanted = { onramp_methods: ['PIX', 'SEPA', 'PIX', 'UPI'] as const };
    const [failed, ...others] = unofferedMethods([byCard, bySepa, bySepa], wanted, way);
    expect(others).toEqual([]);
    expect(failed?.failure.serviceIds).toEqual(['swift', 'thrift']);
    expect(failed?.failure.issues).toEqual([
      {
        kind: 'payin_method',
        message: `No available provider offers PIX, UPI from usd to ${USDC}; offered: CREDIT_CARD, SEPA.`,
      },
    ]);
  });

  it.each([
    ['all methods are offered', [bySepa], { onramp_methods: ['SEPA'] as const }],
    ['no method is requested', [bySepa], {}],
    ['no provider sells at all', [], { onramp_methods: ['PIX'] as const }],
    ['tokens are deposited', [{ ramp: null, legs }], { onramp_methods: ['PIX'] as const }],
  ])('reports nothing where %s', (_, routes, wanted) => {
    expect(unofferedMethods(routes, wanted, way)).toEqual([]);
  });
});

describe('unknownProviders', () => {
  it('names each unknown provider once', () => {
    const wanted = { onramps: ['nobody', 'swift', 'nobody', 'noone'] };
    const failures = unknownProviders(wanted, new Set(['swift'])).map(({ failure }) => failure);
    expect(failures.map(({ serviceIds }) => serviceIds)).toEqual([['nobody'], ['noone']]);
    expect(failures[0]?.issues).toEqual([
      { kind: 'provider', message: 'Unknown provider nobody.' },
    ]);
    expect(unknownProviders({}, new Set())).toEqual([]);
  });
});

describe('disabledMethods', () => {
  const providers = ['thrift', 'swift'];

  it('names methods that the key lacks, for every provider that was asked', () => {
    const wanted = { onramp_methods: ['SWIFT', 'SEPA'] as const };
    const [failed, ...others] = disabledMethods(wanted, [], providers);
    expect(others).toEqual([]);
    expect(failed?.failure.serviceIds).toEqual(['swift', 'thrift']);
    expect(failed?.failure.issues).toEqual([
      { kind: 'payin_method', message: 'SWIFT is not enabled for this API key.' },
    ]);
  });

  it('is empty for enabled methods, ordinary ones and none', () => {
    expect(disabledMethods({ onramp_methods: ['SWIFT'] }, ['SWIFT'], providers)).toEqual([]);
    expect(disabledMethods({ onramp_methods: ['SEPA'] }, [], providers)).toEqual([]);
    expect(disabledMethods({}, [], providers)).toEqual([]);
  });
});
