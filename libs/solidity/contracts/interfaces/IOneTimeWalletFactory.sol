// SPDX-License-Identifier: Apache-2.0
pragma solidity ^0.8.30;

/// @notice Makes the wallet of a declaration, at an address that is known before and the same on every chain.
interface IOneTimeWalletFactory {
    /// @notice The declaration's wallet is there from now on.
    event WalletDeployed(address indexed wallet, bytes32 indexed declarationHash);

    /// @notice Where the declaration's wallet is or will be.
    function predict(bytes32 declarationHash) external view returns (address wallet);

    /// @notice Deploys the wallet if it is not there yet. Anyone may.
    function deploy(bytes32 declarationHash) external returns (address wallet);
}
