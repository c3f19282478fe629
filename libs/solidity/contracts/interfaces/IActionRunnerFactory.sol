// SPDX-License-Identifier: Apache-2.0
pragma solidity ^0.8.30;

/// @notice Deploys the runners of wallets' custom calls. A runner's address follows from its wallet's, and is the
/// same on every chain.
interface IActionRunnerFactory {
    /// @notice Address of the runner, deployed or not.
    function predict(address wallet) external view returns (address runner);

    /// @notice Deploys the runner, or returns the one that exists.
    function deploy(address wallet) external returns (address runner);
}
