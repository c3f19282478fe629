import { developmentAddresses } from '@bascule/solidity';
import { type Address, encodePacked, getContractAddress, keccak256 } from 'viem';
import { dollars, ether, inOrder, type Side, type Sides } from './pools.js';

const { dai, usdc, usdt, uniswapV2Factory } = developmentAddresses;

/** Hash of the pair's init code in Uniswap V2's packages, the same on every chain. */
const PAIR_INIT_CODE_HASH = '0x96e8ac4277198ff8b6f785478aa9a39f403cb768dd02cbee326c3e7da348845f';

/** Pair of Uniswap V2. Its amounts are of equal value, at the prices of the pools of V3. */
export interface Pair extends Sides {
  name: string;
  address: Address;
}

/** Pairs of which V3 has none, for DAI, and one at a higher fee than V3's. */
export const developmentV2Pairs: readonly Pair[] = [
  pair('DAI/USDC', ether(1_000_000n, dai), dollars(usdc, 1_000_000n)),
  pair('DAI/WETH', ether(300_000n, dai), ether(100n)),
  pair('USDC/USDT', dollars(usdc, 1_000_000n), dollars(usdt, 1_000_000n)),
];

function pair(name: string, a: Side, b: Side): Pair {
  const sides = inOrder(a, b);
  const tokens = [sides.token0.token, sides.token1.token] as const;
  const address = getContractAddress({
    opcode: 'CREATE2',
    from: uniswapV2Factory,
    salt: keccak256(encodePacked(['address', 'address'], tokens)),
    bytecodeHash: PAIR_INIT_CODE_HASH,
  });
  return { name, address, ...sides };
}
