// Curated tokens: add a line, run `npm run tokens`, review the output. A token that the packages list by its address
// needs only its CoinGecko id and its price feed (of the chain's definition). `facts` is for a token that no package
// lists, with its source; `symbol`, `name` and `alias` replace values of the packages.
// A feed prices only the issuer's own token and tokens of the rollup's own bridge; other bridged tokens use market data
// or pools.
const usd = (coin, pair) => ({ coingeckoId: coin, pair: `${pair}/usd` });
const USDC = usd('usd-coin', 'usdc');
const USDT = usd('tether', 'usdt');
const DAI = usd('dai', 'dai');
const EURC = usd('euro-coin', 'eurc');
const WETH = usd('weth', 'eth');
const WBTC = usd('wrapped-bitcoin', 'wbtc');
const CBBTC = usd('coinbase-wrapped-btc', 'cbbtc');
const LINK = usd('chainlink', 'link');
const AAVE = usd('aave', 'aave');
const UNI = usd('uniswap', 'uni');
const WSTETH = { coingeckoId: 'wrapped-steth' };
const USDE = usd('ethena-usde', 'usde');
const GHO = usd('gho', 'gho');

/** Circle's own contracts on test networks that no package lists. */
const testUsdc = {
  ...USDC,
  facts: { symbol: 'USDC', name: 'USD Coin', decimals: 6, source: 'developers.circle.com' },
};

/** By chain, by address. */
export const curated = {
  ethereum: {
    '0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48': USDC,
    '0xdAC17F958D2ee523a2206206994597C13D831ec7': USDT,
    '0xC02aaA39b223FE8D0A0e5C4F27eAD9083C756Cc2': WETH,
    '0x2260FAC5E5542a773Aa44fBCfeDf7C193bc2C599': WBTC,
    '0xcbB7C0000aB88B473b1f5aFd9ef808440eed33Bf': CBBTC,
    '0x6B175474E89094C44Da98b954EedeAC495271d0F': DAI,
    '0xdC035D45d973E3EC169d2276DDab16f1e407384F': usd('usds', 'usds'),
    '0x1aBaEA1f7C830bD89Acc67eC4af516284b1bC33c': EURC,
    '0x6c3ea9036406852006290770BEdFcAbA0e23A0e8': usd('paypal-usd', 'pyusd'),
    '0x40D16FC0246aD3160Ccc09B8D0D3A2cD28aE6C2f': GHO,
    '0x4c9EDD5852cd905f086C759E8383e09bff1E68B3': USDE,
    '0x7f39C581F595B53c5cb19bD0b3f8dA6c935E2Ca0': WSTETH,
    '0x514910771AF9Ca656af840dff83E8264EcF986CA': LINK,
    '0x1f9840a85d5aF5bf1D1762F925BDADdC4201F984': UNI,
    '0x7Fc66500c84A76Ad7e9c93437bFc5Ac33E2DDaE9': AAVE,
  },
  base: {
    '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913': USDC,
    '0xfde4C96c8593536E31F229EA8f37b2ADa2699bb2': {
      ...USDT,
      facts: { symbol: 'USDT', name: 'Tether USD', decimals: 6, source: 'basescan.org' },
    },
    '0x4200000000000000000000000000000000000006': WETH,
    '0xcbB7C0000aB88B473b1f5aFd9ef808440eed33Bf': CBBTC,
    '0x50c5725949A6F0c72E6C4a641F24049A917DB0Cb': DAI,
    '0x60a3E35Cc302bFA44Cb288Bc5a4F316Fdb1adb42': EURC,
    '0x6Bb7a212910682DCFdbd5BCBb3e28FB4E8da10Ee': GHO,
    '0xc1CBa3fCea344f92D9239c08C0568f6F2F0ee452': WSTETH,
    '0x63706e401c06ac8513145b7687A14804d17f814b': AAVE,
  },
  arbitrum: {
    '0xaf88d065e77c8cC2239327C5EDb3A432268e5831': USDC,
    '0xFF970A61A04b1cA14834A43f5dE4533eBDDB5CC8': { symbol: 'USDC.e', name: 'Bridged USD Coin' },
    '0xFd086bC7CD5C481DCC9C85ebE478A1C0b69FCbb9': {
      coingeckoId: 'usdt0',
      symbol: 'USDT0',
      alias: 'USDT',
    },
    '0x82aF49447D8a07e3bd95BD0d56f35241523fBab1': WETH,
    '0x2f2a2543B76A4166549F7aaB2e75Bef0aefC5B0f': WBTC,
    '0xDA10009cBd5D07dd0CeCc66161FC93D7c9000da1': DAI,
    '0x912CE59144191C1204E64559FE8253a0e49E6548': usd('arbitrum', 'arb'),
    '0x7dfF72693f6A4149b17e7C6314655f6A9F7c8B33': GHO,
    '0x5979D7b546E38E414F7E9822514be443A4800529': WSTETH,
    '0xf97f4df75117a78c1A5a0DBb814Af92458539FB4': LINK,
    '0xba5DdD1f9d7F570dc94a51479a000E3BCE967196': AAVE,
  },
  optimism: {
    '0x0b2C639c533813f4Aa9D7837CAf62653d097Ff85': USDC,
    '0x7F5c764cBc14f9669B88837ca1490cCa17c31607': { symbol: 'USDC.e', name: 'Bridged USD Coin' },
    '0x94b008aA00579c1307B0EF2c499aD98a8ce58e58': { pair: 'usdt/usd' },
    '0x01bFF41798a0BcF287b996046Ca68b395DbC1071': {
      coingeckoId: 'usdt0',
      symbol: 'USDT0',
    },
    '0x4200000000000000000000000000000000000006': WETH,
    '0x68f180fcCe6836688e9084f035309E29Bf0A2095': WBTC,
    '0xDA10009cBd5D07dd0CeCc66161FC93D7c9000da1': DAI,
    '0x4200000000000000000000000000000000000042': usd('optimism', 'op'),
    '0x1F32b1c2345538c0c6f582fCB022739c4A194Ebb': WSTETH,
    '0x350a791Bfc2C21F9Ed5d10980Dad2e2638ffa7f6': LINK,
    '0x76FB31fb4af56892A25e32cFC43De717950c9278': AAVE,
  },
  polygon: {
    '0x3c499c542cEF5E3811e1192ce70d8cC03d5c3359': USDC,
    '0x2791Bca1f2de4661ED88A30C99A7a9449Aa84174': { symbol: 'USDC.e', name: 'Bridged USD Coin' },
    '0xc2132D05D31c914a87C6611C10748AEb04B58e8F': {},
    '0x0d500B1d8E8eF31E21C99d1Db9A6444d3ADf1270': { pair: 'pol/usd' },
    '0x7ceB23fD6bC0adD59E62ac25578270cFf1b9f619': {},
    '0x1BFD67037B42Cf73acF2047067bd4F2C47D9BfD6': {},
    '0x8f3Cf7ad23Cd3CaDbD9735AFf958023239c6A063': {},
    '0x03b54A6e9a984069379fae1a4fC4dBAE93B3bCCD': WSTETH,
    '0x53E0bca35eC356BD5ddDFebbD1Fc0fD03FaBad39': {},
    '0xD6DF932A45C0f255f85145f286eA0b292B21C90B': {},
  },
  avalanche: {
    '0xB97EF9Ef8734C71904D8002F8b6Bc66Dd9c48a6E': USDC,
    '0x9702230A8Ea53601f5cD2dc00fDBc13d4dF4A8c7': { ...USDT, alias: 'USDT' },
    '0xB31f66AA3C1e785363F0875A1B74E27b85FD66c7': { pair: 'avax/usd', coingeckoId: 'wrapped-avax' },
    '0x49D5c2BdFfac6CE2BFdB6640F4F80f226bc10bAB': {},
    '0x50b7545627a5162F82A992c33b87aDc75187B218': {},
    '0x152b9d0FdC40C096757F570A51E494bd4b943E50': {},
    '0xd586E7F844cEa2F87f50152665BCbc2C279D8d70': {},
    '0xC891EB4cbdEFf6e073e859e987815Ed1505c2ACD': EURC,
    '0x5947BB275c521040051D82396192181b413227A3': {},
    '0x63a72806098Bd3D9520cC43356dD78afe5D386D9': {},
  },
  bsc: {
    '0x8AC76a51cc950d9822D68b83fE1Ad97B32Cd580d': {},
    '0x55d398326f99059fF775485246999027B3197955': {},
    '0xbb4CdB9CBd36B01bD1cBaEBF2De08d9173bc095c': { pair: 'bnb/usd', coingeckoId: 'wbnb' },
    '0x2170Ed0880ac9A755fd29B2688956BD959F933F8': { symbol: 'ETH' },
    '0x7130d2A12B9BCbFAe4f2634d864A1Ee1Ce3Ead9c': {},
    '0x1AF3F329e8BE154074D8769D1FFa4eE058B1DBc3': {},
    '0xc5f0f7b66764F6ec8C8Dff7BA683102295E16409': usd('first-digital-usd', 'fdusd'),
    '0x0E09FaBB73Bd3Ade0a17ECC321fD13a19e81cE82': usd('pancakeswap-token', 'cake'),
  },
  sepolia: {
    '0x1c7D4B196Cb0C7B01d743Fbc6116a902379C7238': USDC,
  },
  basesepolia: {
    '0x036CbD53842c5426634e7929541eC2318f3dCF7e': USDC,
  },
  arbitrumsepolia: {
    '0x75faf114eafb1BDbe2F0316DF893fd58CE46AA4d': USDC,
  },
  optimismsepolia: {
    '0x5fd84259d66Cd46123540766Be93DFE6D43130D7': USDC,
  },
  polygonamoy: { '0x41E94Eb019C0762f9Bfcf9Fb1E58725BfB0e7582': testUsdc },
  avalanchefuji: { '0x5425890298aed601595a70AB815c96711a31Bc65': testUsdc },
};
