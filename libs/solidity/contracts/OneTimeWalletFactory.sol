// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.30;

import {Clones} from "@openzeppelin/contracts/proxy/Clones.sol";
import {OneTimeWallet} from "./OneTimeWallet.sol";
import {IActionRunnerFactory} from "./interfaces/IActionRunnerFactory.sol";
import {IConverter} from "./interfaces/IConverter.sol";
import {IOneTimeWalletFactory} from "./interfaces/IOneTimeWalletFactory.sol";
import {WalletAddress} from "./libraries/WalletAddress.sol";

/// @notice Deploys wallets for anyone. No owner, no settings.
contract OneTimeWalletFactory is IOneTimeWalletFactory {
    /// @notice Implementation of every wallet.
    address public immutable implementation;

    /// @param converter Converter of its wallets, immutable.
    /// @param runners Deploys the runners of its wallets' custom calls, immutable.
    constructor(IConverter converter, IActionRunnerFactory runners) {
        implementation = address(new OneTimeWallet(converter, runners));
    }

    /// @inheritdoc IOneTimeWalletFactory
    function predict(bytes32 declarationHash) public view returns (address wallet) {
        return WalletAddress.predict(address(this), declarationHash);
    }

    /// @inheritdoc IOneTimeWalletFactory
    function deploy(bytes32 declarationHash) external returns (address wallet) {
        wallet = predict(declarationHash);
        if (wallet.code.length != 0) return wallet;
        Clones.cloneDeterministicWithImmutableArgs(implementation, abi.encode(declarationHash), bytes32(0));
        emit WalletDeployed(wallet, declarationHash);
    }
}
