// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.30;

import {Clones} from "@openzeppelin/contracts/proxy/Clones.sol";
import {ActionRunner} from "./ActionRunner.sol";
import {IActionRunnerFactory} from "./interfaces/IActionRunnerFactory.sol";

/// @notice Deploys the runners of wallets for anyone. No owner, no settings.
contract ActionRunnerFactory is IActionRunnerFactory {
    /// @notice Implementation of every runner.
    address public immutable implementation;

    constructor() {
        implementation = address(new ActionRunner());
    }

    /// @inheritdoc IActionRunnerFactory
    function predict(address wallet) public view returns (address runner) {
        return Clones.predictDeterministicAddressWithImmutableArgs(implementation, abi.encode(wallet), bytes32(0));
    }

    /// @inheritdoc IActionRunnerFactory
    function deploy(address wallet) external returns (address runner) {
        runner = predict(wallet);
        if (runner.code.length != 0) return runner;
        Clones.cloneDeterministicWithImmutableArgs(implementation, abi.encode(wallet), bytes32(0));
    }
}
