import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { encodeAbiParameters, concat, parseEther, type Abi, type Address, type Hex } from 'viem';
import type { ConversionStage } from './conversion-stage.fixture.js';

const require = createRequire(import.meta.url);

/** Deploys a token of the faucet that burns a hundredth of each transfer. */
export async function deployTaxedToken({ client }: ConversionStage): Promise<Address> {
  const path = require.resolve('@uniswap/v2-periphery/build/DeflatingERC20.json');
  const { bytecode } = JSON.parse(readFileSync(path, 'utf8')) as { abi: Abi; bytecode: string };
  const supply = encodeAbiParameters([{ type: 'uint256' }], [parseEther('1000000')]);
  const code: Hex = `0x${bytecode.replace(/^0x/, '')}`;
  const hash = await client.sendTransaction({ chain: null, data: concat([code, supply]) });
  const { contractAddress } = await client.waitForTransactionReceipt({ hash });
  if (!contractAddress) throw new Error('the token was not deployed');
  return contractAddress;
}
