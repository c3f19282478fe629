import type { Chain } from '@bascule/chain';
import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { BaseError } from 'viem';
import { Broadcaster, type BroadcastResult } from './broadcaster.js';
import type { StoredAttempt } from './transaction-store.js';

type Answer = 'accepts' | 'refuses' | 'away' | 'nonce used' | 'underpriced';

const ERRORS = {
  refuses: 'intrinsic gas too low',
  away: 'no answer',
  'nonce used': 'nonce too low',
  underpriced: 'transaction underpriced',
};

interface Node {
  answer: Answer;
  afterMs?: number;
}

const later = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

function endpointOf({ answer, afterMs = 0 }: Node) {
  const sendRawTransaction = async (): Promise<string> => {
    await later(afterMs);
    if (answer === 'accepts') return '0x';
    throw new BaseError(ERRORS[answer]);
  };
  return { sendRawTransaction };
}

/** Sends a transaction again to nodes that answer so. */
const send = (...nodes: Node[]): Promise<BroadcastResult> => sendOn({ endpoints: nodes });

interface Nodes {
  endpoints?: Node[];
  privateEndpoints?: Node[];
}

async function sendOn({ endpoints = [], privateEndpoints = [] }: Nodes): Promise<BroadcastResult> {
  const none = () => undefined;
  const broadcaster = new Broadcaster(
    {} as never,
    { logger: { info: none, warn: none } } as never,
    { refused: { inc: none } } as never,
  );
  const chain = {
    ...{ name: 'alphanet', endpoints: endpoints.map(endpointOf) },
    privateEndpoints: privateEndpoints.map(endpointOf),
  } as unknown as Chain;
  const isPrivate = privateEndpoints.length > 0;
  const attempt = { broadcastAgeMs: 1, purpose: 'payload' } as StoredAttempt;
  const sent = broadcaster.send(chain, { isPrivate }, attempt);
  await jest.advanceTimersByTimeAsync(10_000);
  return sent;
}

describe('a transaction sent to several nodes', () => {
  beforeEach(() => {
    jest.useFakeTimers();
  });
  afterEach(() => {
    jest.useRealTimers();
  });

  it.each<[BroadcastResult, string, Answer[]]>([
    ['accepted', 'one of three refuses it as invalid', ['refuses', 'accepts', 'accepts']],
    ['accepted', 'one of two is away', ['away', 'accepts']],
    ['disputed', 'one of two refuses it as invalid', ['refuses', 'accepts']],
    ['disputed', 'one refuses it, and a third is away', ['refuses', 'accepts', 'away']],
    ['invalid', 'two of three refuse it as invalid', ['refuses', 'accepts', 'refuses']],
    ['invalid', 'both refuse it as invalid', ['refuses', 'refuses']],
    [
      'underpriced',
      'one of two does not say that its nonce is used',
      ['nonce used', 'underpriced'],
    ],
  ])('is %s where %s', async (expected, _, answers) => {
    expect(await send(...answers.map((answer) => ({ answer })))).toBe(expected);
  });

  it.each<[BroadcastResult, Answer]>([
    ['accepted', 'accepts'],
    ['invalid', 'refuses'],
  ])('is %s where two contradict each other and a slow one %s it', async (expected, answer) => {
    const slow = { answer, afterMs: 2_000 };
    expect(await send({ answer: 'refuses' }, { answer: 'accepts' }, slow)).toBe(expected);
  });

  it('waits no longer for a private endpoint that hangs', async () => {
    const hanging: Node = { answer: 'accepts', afterMs: 60_000 };
    expect(await sendOn({ privateEndpoints: [hanging] })).toBe('unclear');
    const privateEndpoints: Node[] = [hanging, { answer: 'accepts', afterMs: 1_000 }];
    expect(await sendOn({ privateEndpoints })).toBe('accepted');
  });
});
