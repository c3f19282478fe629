// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.30;

import {Ownable, Ownable2Step} from "@openzeppelin/contracts/access/Ownable2Step.sol";
import {LowLevelCall} from "@openzeppelin/contracts/utils/LowLevelCall.sol";
import {EnumerableSet} from "@openzeppelin/contracts/utils/structs/EnumerableSet.sol";
import {IOneTimeWallet} from "./interfaces/IOneTimeWallet.sol";
import {IOneTimeWalletFactory} from "./interfaces/IOneTimeWalletFactory.sol";

/// @notice Executor named by declarations, so that operator keys can rotate while payments are open. Holds no funds;
/// its only right is to execute declared legs. Its owner, a multisig, appoints operators; a new owner has to accept.
contract Executor is Ownable2Step {
    using EnumerableSet for EnumerableSet.AddressSet;

    EnumerableSet.AddressSet private _operators;

    /// @notice An account became an operator or ceased to be one.
    event OperatorChanged(address indexed account, bool isOperator);

    /// @notice The caller is not an operator.
    error NotOperator();
    /// @notice The wallet is not deployed.
    error NoWallet();
    /// @notice The call to the wallet is not {IOneTimeWallet-execute}.
    error NotAnExecution();
    /// @notice An executor without an owner could never dismiss a stolen operator.
    error OwnerRequired();

    /// @param owner Account that appoints operators.
    constructor(address owner, address[] memory operators_) Ownable(owner) {
        for (uint256 i = 0; i < operators_.length; i++) {
            _setOperator(operators_[i], true);
        }
    }

    /// @notice Appoints or dismisses an operator. Owner only.
    function setOperator(address account, bool allowed) external onlyOwner {
        _setOperator(account, allowed);
    }

    /// @notice Always reverts; ownership is transferred, never renounced.
    function renounceOwnership() public pure override {
        revert OwnerRequired();
    }

    /// @notice Every account that may execute legs.
    function operators() external view returns (address[] memory) {
        return _operators.values();
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

    /// @notice Whether the account may execute legs.
    function isOperator(address account) external view returns (bool) {
        return _operators.contains(account);
    }

    function _requireOperator() private view {
        if (!_operators.contains(msg.sender)) revert NotOperator();
    }

    function _execute(address wallet, bytes calldata execution) private {
        if (bytes4(execution) != IOneTimeWallet.execute.selector) revert NotAnExecution();
        if (wallet.code.length == 0) revert NoWallet();
        if (!LowLevelCall.callNoReturn(wallet, execution)) LowLevelCall.bubbleRevert();
    }

    function _setOperator(address account, bool allowed) private {
        bool isChange = allowed ? _operators.add(account) : _operators.remove(account);
        if (isChange) emit OperatorChanged(account, allowed);
    }
}
