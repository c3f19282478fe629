// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.30;

import {AggregatorV3Interface} from "@chainlink/contracts/src/v0.8/shared/interfaces/AggregatorV3Interface.sol";
import {Ownable} from "@openzeppelin/contracts/access/Ownable.sol";

/// @notice Price feed with Chainlink's interface. Its owner sets the answer; its timestamp is always the current
/// block's, so it never becomes stale on a chain without updates.
contract DevelopmentPriceFeed is AggregatorV3Interface, Ownable {
    uint8 public constant decimals = 8;
    uint256 public constant version = 4;

    string public description;
    uint80 private _roundId = 1;
    int256 private _answer;

    event AnswerUpdated(int256 indexed current, uint256 indexed roundId, uint256 updatedAt);

    error UnknownRound();

    /// @param answer Price with eight decimals.
    constructor(string memory description_, int256 answer, address owner) Ownable(owner) {
        description = description_;
        _answer = answer;
    }

    function setAnswer(int256 answer) external onlyOwner {
        _answer = answer;
        _roundId++;
        emit AnswerUpdated(answer, _roundId, block.timestamp);
    }

    function latestRoundData() external view returns (uint80, int256, uint256, uint256, uint80) {
        return (_roundId, _answer, block.timestamp, block.timestamp, _roundId);
    }

    /// @dev Only the latest round is kept.
    function getRoundData(uint80 roundId) external view returns (uint80, int256, uint256, uint256, uint80) {
        if (roundId != _roundId) revert UnknownRound();
        return (_roundId, _answer, block.timestamp, block.timestamp, _roundId);
    }
}
