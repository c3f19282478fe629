// SPDX-License-Identifier: Apache-2.0
pragma solidity ^0.8.30;

/// @notice Deploys the wallet of a declaration at a predictable address, the same on every chain.
interface IOneTimeWalletFactory {
    /// @notice The declaration's wallet was deployed.
    event WalletDeployed(address indexed wallet, bytes32 indexed declarationHash);

    /// @notice Address of the declaration's wallet, deployed or not.
    function predict(bytes32 declarationHash) external view returns (address wallet);

    /// @notice Deploys the wallet unless it exists. Callable by anyone.
    function deploy(bytes32 declarationHash) external returns (address wallet);
}
