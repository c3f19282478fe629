// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.30;

import {Ownable, Ownable2Step} from "@openzeppelin/contracts/access/Ownable2Step.sol";
import {LowLevelCall} from "@openzeppelin/contracts/utils/LowLevelCall.sol";
import {IOneTimeWallet} from "./interfaces/IOneTimeWallet.sol";
import {IOneTimeWalletFactory} from "./interfaces/IOneTimeWalletFactory.sol";

/// @notice The executor that declarations name, so that the keys behind it can change while payments are open.
/// Holds no money and no rights but the one to execute declared legs.
contract Executor is Ownable2Step {
    /// @notice Whether the account may execute legs.
    mapping(address account => bool) public isOperator;

    /// @notice The account may execute legs from now on, or no more.
    event OperatorChanged(address indexed account, bool isOperator);

    /// @notice The caller is none of the operators.
    error NotOperator();
    /// @notice The wallet is not there.
    error NoWallet();
    /// @notice What was to be sent to the wallet is no call of {IOneTimeWallet-execute}.
    error NotAnExecution();

    /// @param owner Who appoints operators.
    constructor(address owner, address[] memory operators) Ownable(owner) {
        for (uint256 i = 0; i < operators.length; i++) {
            _setOperator(operators[i], true);
        }
    }

    /// @notice Appoints or dismisses an operator. Only the owner.
    function setOperator(address account, bool allowed) external onlyOwner {
        _setOperator(account, allowed);
    }

    /// @notice Executes a leg of a wallet that is there. Only operators.
    /// @param execution The encoded call of {IOneTimeWallet-execute}, passed on as it is.
    function execute(address wallet, bytes calldata execution) external {
        _requireOperator();
        _execute(wallet, execution);
    }

    /// @notice Deploys the declaration's wallet when it is not there yet, and executes a leg of it. Only operators.
    /// @param execution The encoded call of {IOneTimeWallet-execute}, passed on as it is.
    function deployAndExecute(IOneTimeWalletFactory factory, bytes32 declarationHash, bytes calldata execution)
        external
    {
        _requireOperator();
        _execute(factory.deploy(declarationHash), execution);
    }

    function _requireOperator() private view {
        if (!isOperator[msg.sender]) revert NotOperator();
    }

    function _execute(address wallet, bytes calldata execution) private {
        if (bytes4(execution) != IOneTimeWallet.execute.selector) revert NotAnExecution();
        if (wallet.code.length == 0) revert NoWallet();
        if (!LowLevelCall.callNoReturn(wallet, execution)) LowLevelCall.bubbleRevert();
    }

    function _setOperator(address account, bool allowed) private {
        isOperator[account] = allowed;
        emit OperatorChanged(account, allowed);
    }
}
