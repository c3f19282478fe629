import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import type { Chain, EndpointClient } from '@bascule/chain';
import type { PaymentConfig } from '../config/payment.config.js';
import type { PaymentReaderRepository } from '../persistence/payment-reader.repository.js';
import { OWNER } from '../testing/a-payment.fixture.js';
import { USDC } from '../testing/a-quote.fixture.js';
import { DepositWitnessesService } from './deposit-witnesses.service.js';
import type { DepositRepository } from './deposit.repository.js';
import type { UnwitnessedDepositsRepository } from './unwitnessed-deposits.repository.js';

const DEPOSIT = {
  ...{ id: 'deposit', token: USDC, wallet: OWNER, sender: OWNER, amount: 1n },
  ...{ transactionHash: `0x${'a'.repeat(64)}` as const, position: 'log:0' },
  ...{ blockHash: `0x${'b'.repeat(64)}`, blockNumber: 1n },
};
const FAILURE = 'no endpoint answered';

beforeEach(() => {
  jest.useFakeTimers();
  jest.advanceTimersByTime(1);
});
afterEach(() => {
  jest.useRealTimers();
});

describe('a payment with a deposit about which no node answers', () => {
  it.each([0, 31_000])('waits for them after %i ms, with the reason', async (ms) => {
    const unwitnessed: Partial<UnwitnessedDepositsRepository> = {
      areLarge: () => Promise.resolve(true),
      find: () =>
        Promise.resolve({
          ...{ single: [DEPOSIT], summed: [], rises: [] },
          native: { unconfirmed: 0n, confirmed: 0n },
        }),
      markWitnessed: () => Promise.resolve(),
    };
    const node: Partial<EndpointClient> = {
      getTransactionReceipt: () => {
        jest.advanceTimersByTime(ms);
        return Promise.reject(new Error('hangs'));
      },
    };
    const endpoints = [node, node] as EndpointClient[];
    const service = new DepositWitnessesService(
      {} as DepositRepository,
      unwitnessed as UnwitnessedDepositsRepository,
      {} as PaymentReaderRepository,
      { witnessedDepositUsd: '100' } as PaymentConfig,
    );
    const chain = { name: 'alphanet', endpoints } as unknown as Chain;
    await expect(service.require(chain, 'payment', 9n)).rejects.toThrow(FAILURE);
  });
});
