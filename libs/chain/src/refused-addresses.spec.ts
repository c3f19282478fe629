import { describe, expect, it } from '@jest/globals';
import { alphanetVenues, developmentContracts } from './definitions/development-contracts.js';
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
    const { multicall3, wrappedNative, intentEscrow, attesterOracle, uniswapV3 } =
      developmentContracts;
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
        uniswapV3?.swapRouter02,
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
    expect(refusedAddresses(others)).toHaveLength(7);
  });

  it('lists routers and pools of the venues that a chain has', () => {
    const { uniswapV3 } = developmentContracts;
    const { uniswapV2, uniswapV4 } = alphanetVenues;
    const addresses = refusedAddresses({ ...developmentContracts, ...alphanetVenues }).map(
      ({ address }) => address,
    );
    for (const address of [
      uniswapV2?.router02,
      uniswapV3?.swapRouter02,
      uniswapV4?.poolManager,
      uniswapV4?.universalRouter,
    ]) {
      expect(address).toBeDefined();
      expect(addresses).toContain(address);
    }
  });
});
