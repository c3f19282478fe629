// Generated from the contracts: `npm run generate` writes it.

/** Ours, at the same addresses on every chain. */
export const contractAddresses = {
  "converter": "0x629Bd41CD92E808a8f68855F07AF93BCd3323148",
  "oneTimeWalletFactory": "0xaD052452D067B0FE233613f5D8E6366d5f992a97",
  "oneTimeWalletImplementation": "0x43893605f310Ea2534BF406a1f96Fe39f2257eC4"
} as const;

/** Everything that a development chain has, at the same addresses on each. */
export const developmentAddresses = {
  "create2Deployer": "0x4e59b44847b379578588920cA78FbF26c0B4956C",
  "multicall3": "0xcA11bde05977b3631167028862bE2a173976CA11",
  "converter": "0x629Bd41CD92E808a8f68855F07AF93BCd3323148",
  "oneTimeWalletFactory": "0xaD052452D067B0FE233613f5D8E6366d5f992a97",
  "oneTimeWalletImplementation": "0x43893605f310Ea2534BF406a1f96Fe39f2257eC4",
  "executor": "0x293272D11b0Cb0c467Ed3cdFd8F048b3C72C84B0",
  "usdc": "0x83F0129111BBed2a800114A151c12dbD9b8D6EbD",
  "usdt": "0x1f737b5459AA2C160F56748bA22A1e60b4622898",
  "wbtc": "0x3B48843c4E715B1785C659a6203cE344C6e926AD",
  "weth": "0x29F9484Dd5B678b8d44BA88ea6BDD86895a1586f",
  "uniswapV3Factory": "0x9f8f7af185C2B6018EE30d8664C51d68Bf682191",
  "positionManager": "0xdaA3B720D47Ec4901095d79664aA47CBE3CB9fC9",
  "quoterV2": "0xB20c75FC14754dBB2771B2079994da00a41b347a",
  "swapRouter02": "0x499a39104667e0E3e38F8cD6FA482D8BF3B73440",
  "priceFeeds": {
    "ethUsd": "0xF35f665daF700b7766c7841E6C4244bccBf3150a",
    "btcUsd": "0x8f7B9F62dAc7dF1ab1dEab26714C929fd6E4227C",
    "usdcUsd": "0xF82F0d7e3cC3961EdE95cA996Dae7C36173211F6",
    "usdtUsd": "0xaffF0799384A16957071f5a87da8E282F1f4257A"
  }
} as const;
