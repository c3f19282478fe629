import { describe, expect, it } from '@jest/globals';
import type { EntityManager } from 'typeorm';
import type { PaymentRecord } from '../life-cycle/payment-record.js';
import type { Mutation, PaymentStoreRepository } from '../persistence/payment-store.repository.js';
import type { AssetDirectoryRepository } from '../projections/asset-directory.repository.js';
import { aPayment, minutesAfter } from '../testing/a-payment.fixture.js';
import type { DepositRepository } from './deposit.repository.js';
import { DepositsService } from './deposits.service.js';
import type { ScanGuardRepository } from './scan-guard.repository.js';
import type { ScannedBlock } from './scanned-chain.js';

const hash = (digit: string): `0x${string}` => `0x${digit.repeat(64)}`;

/** A scanner that stopped after it had recorded a deposit in block 20, before its cursor moved on. */
function afterInterruption() {
  let payment: PaymentRecord = aPayment()
    .deposited({ blockNumber: 20n, blockHash: hash('b'), confirmed: false })
    .build();
  const deposits: Partial<DepositRepository> = {
    orphaned: (chain, from, to, hashes) =>
      Promise.resolve(
        payment.deposits.some(
          (deposit) =>
            deposit.chain === chain &&
            deposit.blockNumber >= from &&
            deposit.blockNumber <= to &&
            !hashes.includes(deposit.blockHash),
        )
          ? [payment.id]
          : [],
      ),
    toWallets: () => Promise.resolve(new Map()),
  };
  const store: Partial<PaymentStoreRepository> = {
    change: (_manager: EntityManager, _id: string, mutate: Mutation) => {
      payment = mutate(payment, minutesAfter(2));
      return Promise.resolve(payment);
    },
  };
  const guard: Partial<ScanGuardRepository> = {
    transaction: (write) => write({} as EntityManager),
  };
  const service = new DepositsService(
    store as PaymentStoreRepository,
    deposits as DepositRepository,
    {} as AssetDirectoryRepository,
  );
  return {
    record: async (blockHash: `0x${string}`): Promise<PaymentRecord> => {
      const block: ScannedBlock = {
        number: 20n,
        hash: blockHash,
        parentHash: hash('a'),
        timestamp: minutesAfter(1),
        transfers: [],
      };
      await service.record(guard as ScanGuardRepository, 'alphanet', [block]);
      return payment;
    },
  };
}

describe('DepositsService.record', () => {
  it('removes a deposit of an interrupted scan whose block a reorg has replaced', async () => {
    const scan = afterInterruption();
    expect((await scan.record(hash('c'))).deposits).toEqual([]);
  });

  it('keeps a deposit of an interrupted scan whose block is still on the chain', async () => {
    const scan = afterInterruption();
    expect((await scan.record(hash('b'))).deposits).toHaveLength(1);
  });
});
