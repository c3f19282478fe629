// Generated from the contracts: `npm run generate` writes it.

/** Ours, at the same addresses on every chain. */
export const contractAddresses = {
  "converter": "0x2181F25EbCe39Aa82dA8B88779B2A6246080f327",
  "actionRunnerFactory": "0xec6b0a0c36FC905E629AE4d8bcEfEcb38462F078",
  "oneTimeWalletFactory": "0x918244555D8d370b6A6E9969eB88fFC9D0e7D1aB",
  "oneTimeWalletImplementation": "0xaB8f2A27e7C489066bDeb42a694560df68734D4c"
} as const;

/** Everything that a development chain has, at the same addresses on each. */
export const developmentAddresses = {
  "create2Deployer": "0x4e59b44847b379578588920cA78FbF26c0B4956C",
  "multicall3": "0xcA11bde05977b3631167028862bE2a173976CA11",
  "converter": "0x2181F25EbCe39Aa82dA8B88779B2A6246080f327",
  "actionRunnerFactory": "0xec6b0a0c36FC905E629AE4d8bcEfEcb38462F078",
  "oneTimeWalletFactory": "0x918244555D8d370b6A6E9969eB88fFC9D0e7D1aB",
  "oneTimeWalletImplementation": "0xaB8f2A27e7C489066bDeb42a694560df68734D4c",
  "executor": "0x78d6b9000f9d1129309a33792DeB8188b2EEd119",
  "usdc": "0xB10e07FE3a962fD96C9F47fa7D456d4CBce4ff51",
  "usdt": "0x966Dcf7b6A98f30c5F1e5D7f396D7967eA0f19cb",
  "wbtc": "0x93AEcb815C83102b9e01f1f029c9f5F09cF941e3",
  "usdcVault": "0xE12100AFc45eB64a91D14A42F8B303Ac9F1cc385",
  "attesterOracle": "0xbB5B21C39e84DA17d8257c98A9F8772402F9e2dA",
  "intentEscrow": "0xfC5cf446D2fEb98d6AF1DCC594697BF59399Ea79",
  "sanctionsList": "0x08E2A3E6BedF40133Eb7A1021Cc9c2f5Be6e85dD",
  "weth": "0x29F9484Dd5B678b8d44BA88ea6BDD86895a1586f",
  "uniswapV3Factory": "0x9f8f7af185C2B6018EE30d8664C51d68Bf682191",
  "positionManager": "0xdaA3B720D47Ec4901095d79664aA47CBE3CB9fC9",
  "quoterV2": "0xB20c75FC14754dBB2771B2079994da00a41b347a",
  "swapRouter02": "0x499a39104667e0E3e38F8cD6FA482D8BF3B73440",
  "zeroXAllowanceHolder": "0x831aa9aaeC6542384A330c4bE437Ae9998A0A4e2",
  "lifiDiamond": "0xa1dD1a4e4936145146F32025A4C0cC08aCBedAAA",
  "dai": "0x686b5319308f3810eF63cF52cb117d9108900bC9",
  "eurc": "0x026baa2A175C81C48715613E7610D06186CDfA55",
  "uniswapV2Factory": "0x16e4cA95FF3c6a7daC956d0708743c8e61498D3a",
  "uniswapV2Router02": "0x74f0fe5Cf741DD8072b547c984031653e20b1778",
  "poolManager": "0x9131B9084E6017Be19c6a0ef23f73dbB1Bf41f96",
  "v4Quoter": "0xD4F0245E10AF89C62eF3F6c599E735c2cb78a8D7",
  "stateView": "0xF3c2E547e8da2052E2fC997ee94d54FbE59a6375",
  "v4PositionManager": "0xA4e1494274c2462DB398397E2548B776EBddB16e",
  "universalRouter": "0x0CCdeC48b1AC8BbaBe547A61192942C3C63CA99b",
  "priceFeeds": {
    "ethUsd": "0xF35f665daF700b7766c7841E6C4244bccBf3150a",
    "btcUsd": "0x8f7B9F62dAc7dF1ab1dEab26714C929fd6E4227C",
    "usdcUsd": "0xF82F0d7e3cC3961EdE95cA996Dae7C36173211F6",
    "usdtUsd": "0xaffF0799384A16957071f5a87da8E282F1f4257A"
  }
} as const;
