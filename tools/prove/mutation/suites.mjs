/** Test contracts closest to each file. They run first; then all the others do. */
export const CLOSEST = {
  'ActionRunner.sol': ['ActionRunnerTest'],
  'ActionRunnerFactory.sol': ['ActionRunnerTest'],
  'AttesterOracle.sol': ['AttesterOracleTest'],
  'CctpAdapter.sol': ['CctpAdapterTest'],
  'Converter.sol': ['ConversionTest', 'AttacksTest'],
  'Executor.sol': ['ExecutorTest'],
  'IntentEscrow.sol': ['IntentEscrowTest', 'IntentRefundTest'],
  'OneTimeWallet.sol': [
    'OneTimeWalletExecuteTest',
    'OneTimeWalletWithdrawTest',
    'BridgedLegsTest',
    'ActionRunnerTest',
  ],
  'OneTimeWalletFactory.sol': ['OneTimeWalletFactoryTest'],
  'AttestationHash.sol': ['AttesterOracleTest'],
  'AuthorizationHash.sol': ['OneTimeWalletWithdrawTest'],
  'Calls.sol': ['ConversionTest', 'OneTimeWalletWithdrawTest'],
  'Currency.sol': ['OneTimeWalletExecuteTest', 'ConversionTest'],
  'DeclarationHash.sol': ['OneTimeWalletExecuteTest', 'ConversionTest'],
  'OrderHash.sol': ['IntentEscrowTest'],
  'OwnerSignature.sol': ['OneTimeWalletWithdrawTest', 'IntentRefundTest'],
  'RefundText.sol': ['IntentRefundTest'],
  'WalletAddress.sol': ['OneTimeWalletFactoryTest'],
  'WithdrawalNonce.sol': ['OneTimeWalletWithdrawTest'],
};

/** Names of the contracts and libraries that are mutated. */
export const CONTRACTS = Object.keys(CLOSEST).map((file) => file.replace('.sol', ''));

/** Parts of `npm run prove`, of which each ends within an hour on two cores. */
export const GROUPS = {
  IntentEscrow: ['IntentEscrow'],
  OneTimeWallet: ['OneTimeWallet', 'OneTimeWalletFactory'],
  periphery: [
    ...['ActionRunner', 'ActionRunnerFactory', 'AttesterOracle', 'CctpAdapter'],
    ...['Converter', 'Executor'],
  ],
  libraries: CONTRACTS.slice(9),
};
