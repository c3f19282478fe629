// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.30;

import {Ownable, Ownable2Step} from "@openzeppelin/contracts/access/Ownable2Step.sol";
import {LowLevelCall} from "@openzeppelin/contracts/utils/LowLevelCall.sol";
import {IOneTimeWallet} from "./interfaces/IOneTimeWallet.sol";
import {IOneTimeWalletFactory} from "./interfaces/IOneTimeWalletFactory.sol";

/// @notice Executor named by declarations, so that operator keys can rotate while payments are open. Holds no funds;
/// its only right is to execute declared legs.
contract Executor is Ownable2Step {
    /// @notice Whether the account may execute legs.
    mapping(address account => bool) public isOperator;

    /// @notice An account became an operator or ceased to be one.
    event OperatorChanged(address indexed account, bool isOperator);

    /// @notice The caller is not an operator.
    error NotOperator();
    /// @notice The wallet is not deployed.
    error NoWallet();
    /// @notice The call to the wallet is not {IOneTimeWallet-execute}.
    error NotAnExecution();

    /// @param owner Account that appoints operators.
    constructor(address owner, address[] memory operators) Ownable(owner) {
        for (uint256 i = 0; i < operators.length; i++) {
            _setOperator(operators[i], true);
        }
    }

    /// @notice Appoints or dismisses an operator. Owner only.
    function setOperator(address account, bool allowed) external onlyOwner {
        _setOperator(account, allowed);
    }

    /// @notice Executes a leg of a deployed wallet. Operators only.
    /// @param execution Encoded call of {IOneTimeWallet-execute}, forwarded unchanged.
    function execute(address wallet, bytes calldata execution) external {
        _requireOperator();
        _execute(wallet, execution);
    }

    /// @notice Deploys the declaration's wallet unless it exists, then executes a leg. Operators only.
    /// @param execution Encoded call of {IOneTimeWallet-execute}, forwarded unchanged.
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
