import type { PriceRepository } from '@bascule/catalogue-projection';
import type { Chain, EndpointClient } from '@bascule/chain';
import type { TokenIdentifier } from '@bascule/contracts';
import { describe, expect, it } from '@jest/globals';
import { parseGwei, zeroAddress } from 'viem';
import type { Hex } from 'viem';
import { WithdrawalFeesService } from './withdrawal-fees.service.js';

const ETHER: TokenIdentifier = 'alphanet:0x';
const CODE: Hex = '0x6000';
const prices: Partial<PriceRepository> = { newest: () => Promise.resolve(new Map()) };

/** Quotes a withdrawal of ether on a chain whose nodes say this about the wallet's code, in their order. */
async function feeWhere(...codes: (Hex | undefined)[]): Promise<bigint | undefined> {
  const endpoints = codes.map((code) => ({
    getCode: () => Promise.resolve(code),
    getGasPrice: () => Promise.resolve(parseGwei('1')),
  })) as unknown as EndpointClient[];
  const definition = { maxFeeGwei: 100, nativeCurrency: { decimals: 18 }, contracts: {} };
  const chain = { name: 'alphanet', client: endpoints[0], endpoints, definition };
  const service = new WithdrawalFeesService(prices as PriceRepository, 60_000);
  const ether = { id: ETHER, decimals: 18, amount: 10n ** 18n };
  const quoted = await service.quoteBatch(chain as unknown as Chain, zeroAddress, [ether]);
  return quoted.fees.get(ETHER);
}

describe('the fee of a withdrawal', () => {
  it('charges the deployment of its wallet by the nodes’ median', async () => {
    const [deployed, missing] = [await feeWhere(CODE), await feeWhere(undefined)];
    expect(missing).toBeGreaterThan(deployed ?? 0n);
    expect(await feeWhere(CODE, undefined, undefined)).toBe(missing);
    expect(await feeWhere(undefined, CODE, CODE)).toBe(deployed);
    expect(await feeWhere(CODE, undefined)).toBe(missing);
  });
});
