import { describe, expect, it } from '@jest/globals';
import { developmentContracts } from './definitions/development-contracts.js';
import { refusedAddresses } from './refused-addresses.js';

describe('refusedAddresses', () => {
  it('lists each contract that would lose payments, once', () => {
    const addresses = refusedAddresses(developmentContracts).map(({ address }) => address);
    const {
      oneTimeWalletFactory,
      oneTimeWalletImplementation,
      converter,
      executor,
      actionRunnerFactory,
    } = developmentContracts;
    const { multicall3, wrappedNative, intentEscrow, attesterOracle } = developmentContracts;
    expect(new Set(addresses)).toEqual(
      new Set([
        oneTimeWalletFactory,
        oneTimeWalletImplementation,
        converter,
        actionRunnerFactory,
        executor,
        intentEscrow,
        attesterOracle,
        multicall3,
        wrappedNative,
      ]),
    );
    expect(new Set(addresses).size).toBe(addresses.length);
  });

  it('works without an executor and a bridge', () => {
    const {
      executor: _executor,
      intentEscrow: _escrow,
      attesterOracle: _oracle,
      ...others
    } = developmentContracts;
    expect(refusedAddresses(others)).toHaveLength(6);
  });
});
