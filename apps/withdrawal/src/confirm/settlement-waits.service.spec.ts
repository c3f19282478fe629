import type { Caller } from '@bascule/identity';
import { describe, expect, it } from '@jest/globals';
import type { WithdrawalSettings } from '../settings/withdrawal-settings.js';
import type { SettlementWatchService } from '../settlement/settlement-watch.service.js';
import { SettlementWaitsService } from './settlement-waits.service.js';

const A_MINUTE = 60_000;

/** Waits that end when the test settles their withdrawals. */
function aRoom(maxWaitingConfirms: number) {
  const waiting: { id: string; end: (isInterrupted: boolean) => void }[] = [];
  const watch: Pick<SettlementWatchService, 'untilSettled'> = {
    untilSettled: (id) => new Promise((end) => waiting.push({ id, end })),
  };
  const settings = { maxWaitingConfirms } as WithdrawalSettings;
  const waits = new SettlementWaitsService(watch as SettlementWatchService, settings);
  const ask = (withdrawId: string, caller: Partial<Caller> = {}, ms = A_MINUTE) =>
    waits.untilSettled(withdrawId, {
      until: performance.now() + ms,
      clientGone: new AbortController().signal,
      caller: { orgId: 'shop', keyId: 'k', kind: 'secret', permissions: [], ...caller },
    });
  const settle = () => {
    for (const { end } of waiting.splice(0)) end(false);
  };
  return { ask, settle, waiting };
}

const visitor = (name: string): Partial<Caller> => ({ kind: 'publishable', visitor: name });

describe('requests that wait for settlements', () => {
  it.each<[string, number, [string, Partial<Caller>][], [string, Partial<Caller>]]>([
    ['one withdrawal', 1, [['w', {}]], ['other', {}]],
    ['one visitor', 1, [['w', visitor('v')]], ['other', visitor('another')]],
    [
      'one organisation',
      4,
      ['a', 'b', 'c', 'd'].map((id) => [id, {}]),
      ['other', { orgId: 'another' }],
    ],
  ])('leave room beside those of %s', async (_, max, first, other) => {
    const { ask, settle, waiting } = aRoom(8);
    const held = first.map(([id, caller]) => ask(id, caller));
    const [[id, caller]] = first as [[string, Partial<Caller>]];
    const next = max === 1 && caller.visitor === undefined ? id : 'further';
    expect(await ask(next, caller)).toBe(true);
    expect(waiting).toHaveLength(max);
    const admitted = ask(...other);
    expect(waiting).toHaveLength(max + 1);
    settle();
    expect(await Promise.all([...held, admitted])).toEqual([...held, admitted].map(() => false));
    void ask(next, caller);
    expect(waiting).toHaveLength(1);
  });

  it('are bounded in all', async () => {
    const { ask, waiting } = aRoom(8);
    for (let n = 0; n < 8; n += 1) void ask(`w${n}`, { orgId: `organisation ${n}` });
    expect(waiting).toHaveLength(8);
    expect(await ask('w', { orgId: 'another' })).toBe(true);
    expect(waiting).toHaveLength(8);
  });

  it('take no place where their time is over', async () => {
    const { ask } = aRoom(1);
    void ask('w');
    expect(await ask('w', {}, 0)).toBe(false);
  });
});
