import type { Chains } from '@bascule/chain';
import type { ServiceContext } from '@bascule/process';
import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import type { PaymentConfig } from '../config/payment.config.js';
import type { AssetDirectoryRepository } from '../projections/asset-directory.repository.js';
import { aPolicy } from '../testing/a-payment.fixture.js';
import { DustService } from './dust.service.js';
import { withdrawalCostUsd } from './withdrawal-cost.js';

const GWEI = 10n ** 9n;
const COST = withdrawalCostUsd(GWEI, '3000');

describe('DustService', () => {
  let gasPrice: bigint | null;
  let reads: number;
  const client = {
    getGasPrice: () => {
      reads += 1;
      return gasPrice === null ? Promise.reject(new Error('down')) : Promise.resolve(gasPrice);
    },
  };
  const chain = {
    name: 'alphanet',
    definition: { maxFeeGwei: 1_000 },
    endpoints: [client],
    client,
  };
  const find = (name: string) => (name === chain.name ? chain : undefined);
  const started = async (): Promise<DustService> => {
    const service = new DustService(
      { logger: { warn: () => undefined } } as unknown as ServiceContext,
      { all: () => [chain], find } as unknown as Chains,
      { usdPrice: () => Promise.resolve('3000') } as unknown as AssetDirectoryRepository,
      { policy: aPolicy } as PaymentConfig,
    );
    service.onApplicationBootstrap();
    await jest.advanceTimersByTimeAsync(0);
    return service;
  };
  const dustOn = (service: DustService) => service.known('alphanet').dustUsd;
  beforeEach(() => {
    jest.useFakeTimers();
    gasPrice = GWEI;
    reads = 0;
  });
  afterEach(() => {
    jest.useRealTimers();
  });

  it('knows the cost of a withdrawal from its start, and reads it again after 15 s', async () => {
    const service = await started();
    gasPrice = 2n * GWEI;
    await jest.advanceTimersByTimeAsync(14_000);
    expect(dustOn(service)).toBe(COST);
    expect(reads).toBe(1);
    await jest.advanceTimersByTimeAsync(1_000);
    // The answer waits for no chain, so it tells the cost before.
    expect(dustOn(service)).toBe(COST);
    await jest.advanceTimersByTimeAsync(0);
    expect(dustOn(service)).toBe(withdrawalCostUsd(2n * GWEI, '3000'));
    expect(reads).toBe(2);
  });

  it('keeps the cost that it knows while the chain cannot be read', async () => {
    const service = await started();
    gasPrice = null;
    await jest.advanceTimersByTimeAsync(15_000);
    expect(dustOn(service)).toBe(COST);
    await jest.advanceTimersByTimeAsync(0);
    expect(dustOn(service)).toBe(COST);
  });

  it('takes the configured value where it is higher, or no cost is known', async () => {
    gasPrice = 1n;
    expect(dustOn(await started())).toBe(aPolicy.dustUsd);
    gasPrice = null;
    const service = await started();
    expect(dustOn(service)).toBe(aPolicy.dustUsd);
    expect(service.known('betanet').dustUsd).toBe(aPolicy.dustUsd);
    gasPrice = GWEI;
    await jest.advanceTimersByTimeAsync(1_000);
    expect(dustOn(service)).toBe(aPolicy.dustUsd);
    await jest.advanceTimersByTimeAsync(0);
    expect(dustOn(service)).toBe(COST);
  });

  it('reads the cost anew for a decision about what is left', async () => {
    const service = await started();
    gasPrice = 2n * GWEI;
    const policyOn = await service.policyOn(['alphanet', 'alphanet', 'gammanet']);
    expect(policyOn('alphanet').dustUsd).toBe(withdrawalCostUsd(2n * GWEI, '3000'));
    expect(policyOn('gammanet').dustUsd).toBe(aPolicy.dustUsd);
    expect(reads).toBe(2);
  });
});
